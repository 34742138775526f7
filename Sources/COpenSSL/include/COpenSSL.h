#pragma once
#if !__has_include(<openssl/ssl.h>)
#error "OpenSSL is missing: install libssl-dev (Debian, Ubuntu), openssl-devel (Fedora), openssl-dev (Alpine) or openssl@3 (Homebrew)"
#endif
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* OpenSSL, loaded when it is first used: linking it would cost every start more than a
   millisecond. Functions are called by their own names with `open` before them. */

/* Null when the library is there and has all we call, else why not. */
const char *copenssl_load(void);

#define COPENSSL_FUNCTIONS(F)                                                                    \
  F(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *method), (method))                                \
  F(void, SSL_CTX_free, (SSL_CTX * context), (context))                                          \
  F(const SSL_METHOD *, TLS_client_method, (void), ())                                           \
  F(const SSL_METHOD *, TLS_server_method, (void), ())                                           \
  F(int, SSL_CTX_set_default_verify_dir, (SSL_CTX * context), (context))                         \
  F(int, SSL_CTX_set_default_verify_file, (SSL_CTX * context), (context))                        \
  F(int, SSL_CTX_load_verify_file, (SSL_CTX * context, const char *path), (context, path))       \
  F(int, SSL_CTX_use_certificate_chain_file, (SSL_CTX * context, const char *path),              \
    (context, path))                                                                             \
  F(void, SSL_CTX_set_default_passwd_cb, (SSL_CTX * context, pem_password_cb *ask),              \
    (context, ask))                                                                              \
  F(int, SSL_CTX_use_PrivateKey_file, (SSL_CTX * context, const char *path, int type),           \
    (context, path, type))                                                                       \
  F(int, SSL_CTX_use_certificate, (SSL_CTX * context, X509 *certificate),                        \
    (context, certificate))                                                                      \
  F(int, SSL_CTX_use_PrivateKey, (SSL_CTX * context, EVP_PKEY *key), (context, key))             \
  F(int, SSL_CTX_check_private_key, (const SSL_CTX *context), (context))                         \
  F(X509_STORE *, SSL_CTX_get_cert_store, (const SSL_CTX *context), (context))                   \
  F(int, X509_STORE_add_cert, (X509_STORE * store, X509 *certificate), (store, certificate))     \
  F(void, SSL_CTX_set_verify, (SSL_CTX * context, int mode, SSL_verify_cb callback),             \
    (context, mode, callback))                                                                   \
  F(int, SSL_CTX_set_alpn_protos,                                                                \
    (SSL_CTX * context, const unsigned char *names, unsigned length), (context, names, length))  \
  F(void, SSL_CTX_set_alpn_select_cb,                                                            \
    (SSL_CTX * context, SSL_CTX_alpn_select_cb_func callback, void *argument),                   \
    (context, callback, argument))                                                               \
  F(long, SSL_CTX_ctrl, (SSL_CTX * context, int command, long number, void *pointer),            \
    (context, command, number, pointer))                                                         \
  F(const char *, X509_get_default_cert_dir, (void), ())                                         \
  F(SSL *, SSL_new, (SSL_CTX * context), (context))                                              \
  F(void, SSL_free, (SSL * session), (session))                                                  \
  F(long, SSL_ctrl, (SSL * session, int command, long number, void *pointer),                    \
    (session, command, number, pointer))                                                         \
  F(int, SSL_set1_host, (SSL * session, const char *name), (session, name))                      \
  F(X509_VERIFY_PARAM *, SSL_get0_param, (SSL * session), (session))                             \
  F(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM * parameters, const char *address),   \
    (parameters, address))                                                                       \
  F(void, SSL_set_bio, (SSL * session, BIO *incoming, BIO *outgoing),                            \
    (session, incoming, outgoing))                                                               \
  F(void, SSL_set_connect_state, (SSL * session), (session))                                     \
  F(void, SSL_set_accept_state, (SSL * session), (session))                                      \
  F(int, SSL_do_handshake, (SSL * session), (session))                                           \
  F(int, SSL_read, (SSL * session, void *bytes, int count), (session, bytes, count))             \
  F(int, SSL_pending, (const SSL *session), (session))                                         \
  F(int, SSL_write, (SSL * session, const void *bytes, int count), (session, bytes, count))      \
  F(int, SSL_shutdown, (SSL * session), (session))                                               \
  F(int, SSL_get_shutdown, (const SSL *session), (session))                                      \
  F(int, SSL_get_error, (const SSL *session, int result), (session, result))                     \
  F(long, SSL_get_verify_result, (const SSL *session), (session))                                \
  F(const char *, X509_verify_cert_error_string, (long number), (number))                        \
  F(const char *, SSL_get_version, (const SSL *session), (session))                              \
  F(BIO *, BIO_new, (const BIO_METHOD *method), (method))                                        \
  F(const BIO_METHOD *, BIO_s_mem, (void), ())                                                   \
  F(BIO *, BIO_new_mem_buf, (const void *bytes, int count), (bytes, count))                      \
  F(int, BIO_read, (BIO * pipe, void *bytes, int count), (pipe, bytes, count))                   \
  F(int, BIO_write, (BIO * pipe, const void *bytes, int count), (pipe, bytes, count))            \
  F(size_t, BIO_ctrl_pending, (BIO * pipe), (pipe))                                              \
  F(int, BIO_free, (BIO * pipe), (pipe))                                                         \
  F(unsigned long, ERR_get_error, (void), ())                                                    \
  F(void, ERR_clear_error, (void), ())                                                           \
  F(const char *, ERR_reason_error_string, (unsigned long number), (number))                     \
  F(X509 *, PEM_read_bio_X509, (BIO * pipe, X509 **into, pem_password_cb *password, void *data), \
    (pipe, into, password, data))                                                                \
  F(EVP_PKEY *, PEM_read_bio_PrivateKey,                                                         \
    (BIO * pipe, EVP_PKEY * *into, pem_password_cb * password, void *data),                      \
    (pipe, into, password, data))                                                                \
  F(int, PEM_write_bio_X509, (BIO * pipe, const X509 *certificate), (pipe, certificate))         \
  F(int, PEM_write_bio_PrivateKey,                                                               \
    (BIO * pipe, const EVP_PKEY *key, const EVP_CIPHER *cipher, const unsigned char *word,       \
     int length, pem_password_cb *password, void *data),                                         \
    (pipe, key, cipher, word, length, password, data))                                           \
  F(X509 *, X509_new, (void), ())                                                                \
  F(void, X509_free, (X509 * certificate), (certificate))                                        \
  F(int, X509_set_version, (X509 * certificate, long version), (certificate, version))           \
  F(ASN1_INTEGER *, X509_get_serialNumber, (X509 * certificate), (certificate))                  \
  F(int, ASN1_INTEGER_set_int64, (ASN1_INTEGER * number, int64_t value), (number, value))        \
  F(ASN1_TIME *, X509_getm_notBefore, (const X509 *certificate), (certificate))                  \
  F(ASN1_TIME *, X509_getm_notAfter, (const X509 *certificate), (certificate))                   \
  F(ASN1_TIME *, X509_gmtime_adj, (ASN1_TIME * time, long seconds), (time, seconds))             \
  F(int, X509_set_pubkey, (X509 * certificate, EVP_PKEY *key), (certificate, key))               \
  F(X509_NAME *, X509_get_subject_name, (const X509 *certificate), (certificate))                \
  F(int, X509_NAME_add_entry_by_txt,                                                             \
    (X509_NAME * name, const char *field, int type, const unsigned char *bytes, int length,      \
     int place, int set),                                                                        \
    (name, field, type, bytes, length, place, set))                                              \
  F(int, X509_set_issuer_name, (X509 * certificate, const X509_NAME *name), (certificate, name)) \
  F(X509_EXTENSION *, X509V3_EXT_conf_nid,                                                       \
    (struct lhash_st_CONF_VALUE * configuration, X509V3_CTX * context, int number,               \
     const char *value),                                                                         \
    (configuration, context, number, value))                                                     \
  F(int, X509_add_ext, (X509 * certificate, X509_EXTENSION *extension, int place),               \
    (certificate, extension, place))                                                             \
  F(void, X509_EXTENSION_free, (X509_EXTENSION * extension), (extension))                        \
  F(int, X509_sign, (X509 * certificate, EVP_PKEY *key, const EVP_MD *digest),                   \
    (certificate, key, digest))                                                                  \
  F(const EVP_MD *, EVP_sha256, (void), ())                                                      \
  F(void, EVP_PKEY_free, (EVP_PKEY * key), (key))                                                \
  F(EVP_PKEY *, EVP_PKEY_new_raw_public_key,                                                     \
    (int type, ENGINE *engine, const unsigned char *key, size_t length),                         \
    (type, engine, key, length))                                                                 \
  F(EVP_PKEY *, EVP_PKEY_new_raw_private_key,                                                    \
    (int type, ENGINE *engine, const unsigned char *key, size_t length),                         \
    (type, engine, key, length))                                                                 \
  F(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())                                                    \
  F(void, EVP_MD_CTX_free, (EVP_MD_CTX * context), (context))                                    \
  F(int, EVP_DigestVerifyInit,                                                                   \
    (EVP_MD_CTX * context, EVP_PKEY_CTX * *into, const EVP_MD *digest, ENGINE *engine,           \
     EVP_PKEY *key),                                                                             \
    (context, into, digest, engine, key))                                                        \
  F(int, EVP_DigestVerify,                                                                       \
    (EVP_MD_CTX * context, const unsigned char *signature, size_t size,                          \
     const unsigned char *bytes, size_t count),                                                  \
    (context, signature, size, bytes, count))                                                    \
  F(int, EVP_DigestSignInit,                                                                     \
    (EVP_MD_CTX * context, EVP_PKEY_CTX * *into, const EVP_MD *digest, ENGINE *engine,           \
     EVP_PKEY *key),                                                                             \
    (context, into, digest, engine, key))                                                        \
  F(int, EVP_DigestSign,                                                                         \
    (EVP_MD_CTX * context, unsigned char *signature, size_t *size, const unsigned char *bytes,   \
     size_t count),                                                                              \
    (context, signature, size, bytes, count))                                                    \
  F(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), ())                                            \
  F(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX * context), (context))                            \
  F(int, EVP_CIPHER_CTX_ctrl,                                                                    \
    (EVP_CIPHER_CTX * context, int command, int number, void *pointer),                          \
    (context, command, number, pointer))                                                         \
  F(const EVP_CIPHER *, EVP_aes_256_gcm, (void), ())                                             \
  F(int, EVP_CipherInit_ex,                                                                      \
    (EVP_CIPHER_CTX * context, const EVP_CIPHER *cipher, ENGINE *engine,                         \
     const unsigned char *key, const unsigned char *nonce, int encrypts),                        \
    (context, cipher, engine, key, nonce, encrypts))                                             \
  F(int, EVP_CipherUpdate,                                                                       \
    (EVP_CIPHER_CTX * context, unsigned char *into, int *size, const unsigned char *bytes,       \
     int count),                                                                                 \
    (context, into, size, bytes, count))                                                         \
  F(int, EVP_CipherFinal_ex, (EVP_CIPHER_CTX * context, unsigned char *into, int *size),         \
    (context, into, size))

#define COPENSSL_DECLARE(result, name, parameters, arguments) result open##name parameters;
COPENSSL_FUNCTIONS(COPENSSL_DECLARE)
#undef COPENSSL_DECLARE

/* A new key on the curve P-256; variable arguments cannot be called from Swift. */
EVP_PKEY *copenssl_new_key(void);

/* A server's answer to the names a client offers: http/1.1, or none of them. */
int copenssl_choose_http1(
    SSL *session, const unsigned char **chosen, unsigned char *length,
    const unsigned char *offered, unsigned offeredLength, void *unused);
