/* The yardstick of `salvo bench transport`: two C processes exchange lines over pipes.
 *
 * Usage: pingpong ROUND_TRIPS. Prints round trips a second. The lines are as long as a request to
 * shoot and its answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_BYTES = 160, ANSWER_BYTES = 60, BUFFER_BYTES = 4096 };

static void send_line(int fd, const char *line, int length)
{
    if (write(fd, line, (size_t)length) != length)
        exit(1);
}

static void receive_line(int fd)
{
    static char buffer[BUFFER_BYTES];
    int used = 0;
    do {
        ssize_t got = read(fd, buffer + used, (size_t)(BUFFER_BYTES - used));
        if (got <= 0)
            exit(0);
        used += (int)got;
    } while (buffer[used - 1] != '\n');
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 100000;
    char request[REQUEST_BYTES], answer[ANSWER_BYTES];
    int down[2], up[2];
    struct timespec start, stop;
    double seconds;

    memset(request, 'x', sizeof request);
    memset(answer, 'y', sizeof answer);
    request[REQUEST_BYTES - 1] = answer[ANSWER_BYTES - 1] = '\n';
    if (pipe(down) || pipe(up))
        return 1;
    if (fork() == 0) {
        close(down[1]);
        close(up[0]);
        for (;;) {
            receive_line(down[0]);
            send_line(up[1], answer, ANSWER_BYTES);
        }
    }
    close(down[0]);
    close(up[1]);
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (long round = 0; round < rounds; round++) {
        send_line(down[1], request, REQUEST_BYTES);
        receive_line(up[0]);
    }
    clock_gettime(CLOCK_MONOTONIC, &stop);
    close(down[1]);
    wait(NULL);
    seconds = (double)(stop.tv_sec - start.tv_sec) + (double)(stop.tv_nsec - start.tv_nsec) / 1e9;
    printf("%.1f\n", (double)rounds / seconds);
    return 0;
}
