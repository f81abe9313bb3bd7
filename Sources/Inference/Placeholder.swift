import CCrypto
import COpenVINO

func version() -> Bool { var v = ov_version_t(); _ = EVP_sha256(); return ov_get_openvino_version(&v) == OK }
