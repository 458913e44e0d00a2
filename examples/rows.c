// A bot in C, with the standard library alone: one ship per row, random shots.
//
//     cc -O2 -o rows rows.c

#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What follows a JSON value. The arena sends no broken ones.
static const char *skip(const char *at) {
  int depth = 0;
  do {
    if (*at == '"')
      while (*++at != '"') at += *at == '\\';
    depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    at++;
  } while (depth > 0 || !strchr(",]}\n", *at));
  return at;
}

// The value of a field of a JSON object; NULL if it has none of that name.
static const char *field(const char *object, const char *name) {
  size_t length = strlen(name);
  const char *at = object;
  do {
    const char *key = strchr(at, '"') + 1;
    at = strchr(key, ':') + 1;
    at += strspn(at, " ");
    if (!strncmp(key, name, length) && key[length] == '"') return at;
    at = skip(at);
  } while (*at == ',');
  return NULL;
}

static bool is(const char *text, const char *word) {
  size_t length = strlen(word);
  return !strncmp(text + 1, word, length) && text[length + 1] == '"';
}

static void print_value(const char *value) { printf("%.*s", (int)(skip(value) - value), value); }

// The next number of a xorshift generator: the arena's seed decides all of them.
static uint64_t draw(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

int main(void) {
  char *line = NULL, *fleet = NULL;
  size_t size = 0;
  long columns = 0, left = 0;
  long *untried = NULL;
  uint64_t state = 0;

  while (getline(&line, &size, stdin) > 0) {
    const char *type = field(line, "type");
    if (is(type, "hello")) {
      printf("{\"type\":\"hello\",\"protocol\":1,\"name\":\"Rows\"}\n");
    } else if (is(type, "game")) {
      const char *rules = field(line, "rules"), *ships = field(rules, "fleet");
      columns = atol(field(rules, "columns"));
      left = atol(field(rules, "rows")) * columns;
      state = strtoull(field(line, "seed"), NULL, 10) + 1;
      free(fleet);
      fleet = strndup(ships, skip(ships) - ships);
      untried = realloc(untried, left * sizeof *untried);
      for (long cell = 0; cell < left; cell++) untried[cell] = cell;
    } else if (is(type, "place")) {
      printf("{\"type\":\"layout\",\"id\":");
      print_value(field(line, "id"));
      printf(",\"ships\":{");
      long row = 0;
      for (const char *ship = fleet + 1; *ship == '{'; ship = skip(ship), ship += strspn(ship, ", ")) {
        printf(row ? "," : "");
        print_value(field(ship, "name"));
        long length = atol(field(ship, "length"));
        for (long n = 0; n < length; n++) printf("%s%ld", n ? "," : ":[", row * columns + n);
        printf("]");
        row++;
      }
      printf("}}\n");
    } else if (is(type, "shoot")) {
      printf("{\"type\":\"shots\",\"id\":");
      print_value(field(line, "id"));
      printf(",\"cells\":[");
      long count = atol(field(line, "shots"));
      for (long n = 0; n < count; n++) {
        long chosen = (long)(draw(&state) % (uint64_t)left);
        printf(n ? ",%ld" : "%ld", untried[chosen]);
        untried[chosen] = untried[--left];
      }
      printf("]}\n");
    } else if (is(type, "bye")) {
      break;
    } else if (is(type, "fault")) {
      fprintf(stderr, "stopped: %s", line);
    }
    fflush(stdout);
  }
  free(line);
  free(fleet);
  free(untried);
}
