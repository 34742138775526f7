#include "COpenSSL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define COPENSSL_TEXT(word) #word
#define COPENSSL_NUMBER(word) COPENSSL_TEXT(word)
#define COPENSSL_LIBRARY "libssl.so." COPENSSL_NUMBER(OPENSSL_SHLIB_VERSION)

#define COPENSSL_FIELD(result, name, parameters, arguments) result(*name) parameters;
static struct {
  COPENSSL_FUNCTIONS(COPENSSL_FIELD)
  EVP_PKEY *(*EVP_PKEY_Q_keygen)(OSSL_LIB_CTX *, const char *, const char *, ...);
} library;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static const char *problem;
static char words[256];

static void load(void) {
  void *handle = dlopen(COPENSSL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!handle) goto failed;
#define COPENSSL_FIND(result, name, parameters, arguments)                                       \
  if (!(*(void **)&library.name = dlsym(handle, #name))) goto failed;
  COPENSSL_FUNCTIONS(COPENSSL_FIND)
  COPENSSL_FIND(, EVP_PKEY_Q_keygen, , )
  return;
failed:
  strncpy(words, dlerror(), sizeof words - 1);
  problem = words;
}

const char *copenssl_load(void) {
  pthread_once(&loading, load);
  return problem;
}

#define COPENSSL_DEFINE(result, name, parameters, arguments)                                     \
  result open##name parameters { return library.name arguments; }
COPENSSL_FUNCTIONS(COPENSSL_DEFINE)

EVP_PKEY *copenssl_new_key(void) { return library.EVP_PKEY_Q_keygen(0, 0, "EC", "P-256"); }

int copenssl_choose_http1(
    SSL *session, const unsigned char **chosen, unsigned char *length,
    const unsigned char *offered, unsigned offeredLength, void *unused) {
  static const unsigned char name[] = "http/1.1";
  (void)session;
  (void)unused;
  for (unsigned at = 0; at + offered[at] < offeredLength; at += 1 + offered[at]) {
    if (offered[at] != sizeof name - 1 || memcmp(offered + at + 1, name, sizeof name - 1)) continue;
    *chosen = offered + at + 1;
    *length = offered[at];
    return SSL_TLSEXT_ERR_OK;
  }
  // The alert no_application_protocol, as RFC 7301 has it.
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}
