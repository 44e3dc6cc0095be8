// The functions of libmosquitto that are used, declared here: the library is loaded at run time, so
// that the program is built, and runs, without it. As in mosquitto.h of 2.0.11.
#include <dlfcn.h>
#include <stdbool.h>

struct mosquitto;

struct mosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};

typedef struct mosquitto *CMosquittoHandle;
typedef void (*CMosquittoNumbered)(CMosquittoHandle, void *, int);
typedef void (*CMosquittoReceiving)(CMosquittoHandle, void *, const struct mosquitto_message *);
typedef void (*CMosquittoLogging)(CMosquittoHandle, void *, int, const char *);

#define CMOSQUITTO_FUNCTIONS(F) \
    F(int, lib_init, (void)) \
    F(CMosquittoHandle, new, (const char *, bool, void *)) \
    F(void, destroy, (CMosquittoHandle)) \
    F(int, username_pw_set, (CMosquittoHandle, const char *, const char *)) \
    F(int, tls_set, (CMosquittoHandle, const char *, const char *, const char *, const char *, void *)) \
    F(int, will_set, (CMosquittoHandle, const char *, int, const void *, int, bool)) \
    F(int, connect, (CMosquittoHandle, const char *, int, int)) \
    F(int, disconnect, (CMosquittoHandle)) \
    F(int, publish, (CMosquittoHandle, int *, const char *, int, const void *, int, bool)) \
    F(int, subscribe, (CMosquittoHandle, int *, const char *, int)) \
    F(int, loop, (CMosquittoHandle, int, int)) \
    F(const char *, strerror, (int)) \
    F(const char *, connack_string, (int)) \
    F(void, connect_callback_set, (CMosquittoHandle, CMosquittoNumbered)) \
    F(void, publish_callback_set, (CMosquittoHandle, CMosquittoNumbered)) \
    F(void, message_callback_set, (CMosquittoHandle, CMosquittoReceiving)) \
    F(void, log_callback_set, (CMosquittoHandle, CMosquittoLogging))

#define CMOSQUITTO_FIELD(result, name, parameters) result (*name) parameters;
typedef struct {
    CMOSQUITTO_FUNCTIONS(CMOSQUITTO_FIELD)
} CMosquitto;

// Finds all of them, once for the process; false if the library is not there.
static inline bool CMosquittoLoad(CMosquitto *library)
{
    void *file = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!file) return false;
#define CMOSQUITTO_FIND(result, name, parameters) \
    if (!(library->name = (result (*) parameters)dlsym(file, "mosquitto_" #name))) return false;
    CMOSQUITTO_FUNCTIONS(CMOSQUITTO_FIND)
    return library->lib_init() == 0;
}
