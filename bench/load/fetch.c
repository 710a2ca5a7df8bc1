/* Fetches a file again and again, and looks at the head of each answer. */
#include <stdio.h>
#include <stdlib.h>
#include <ne_request.h>
#include <ne_session.h>
#include <ne_socket.h>
#include <ne_utils.h>

int main(int argc, char **argv) {
    if (argc != 5 || ne_sock_init())
        return 2;
    ne_session *session = ne_session_create("http", argv[1], (unsigned)atoi(argv[2]));
    int count = atoi(argv[4]), failed = 0;
    for (int i = 0; i < count; i++) {
        ne_request *request = ne_request_create(session, "GET", argv[3]);
        if (ne_begin_request(request) != NE_OK || ne_get_status(request)->code != 200) {
            fprintf(stderr, "%s\n", ne_get_error(session));
            failed++;
        } else {
            const char *length = ne_get_response_header(request, "Content-Length");
            if (i == 0)
                printf("%s bytes each\n", length ? length : "?");
            if (ne_discard_response(request) != NE_OK || ne_end_request(request) != NE_OK)
                failed++;
        }
        ne_request_destroy(request);
    }
    printf("%d failed of %d\n", failed, count);
    ne_session_destroy(session);
    ne_sock_exit();
    return failed != 0;
}
