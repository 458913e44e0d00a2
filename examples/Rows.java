// A bot in Java, with the standard library alone: one ship per row, random shots.
//
//     javac -d rows Rows.java

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public final class Rows {
    private Map<?, ?> rules;
    private List<Integer> untried;

    public static void main(String[] arguments) throws IOException {
        var bot = new Rows();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            var message = (Map<?, ?>) new Json(line).value();
            if (message.get("type").equals("bye")) {
                return;
            }
            String answer = bot.answer(message);
            if (answer != null) {
                System.out.println(answer);
                System.out.flush();
            }
        }
    }

    private String answer(Map<?, ?> message) {
        switch ((String) message.get("type")) {
            case "hello":
                return "{\"type\":\"hello\",\"protocol\":1,\"name\":\"Rows\"}";
            case "game":
                rules = (Map<?, ?>) message.get("rules");
                untried = cells(0, number(rules, "rows") * number(rules, "columns"));
                // The arena's seed decides what is drawn.
                Collections.shuffle(untried, new Random(((Double) message.get("seed")).longValue()));
                return null;
            case "place":
                return String.format(
                        "{\"type\":\"layout\",\"id\":\"%s\",\"ships\":{%s}}", message.get("id"), ships());
            case "shoot":
                var salvo = untried.subList(0, number(message, "shots"));
                String answer =
                        String.format(
                                "{\"type\":\"shots\",\"id\":\"%s\",\"cells\":%s}", message.get("id"), salvo);
                salvo.clear();
                return answer;
            case "fault":
                System.err.println("stopped: " + message.get("reason"));
                return null;
            default:
                return null;
        }
    }

    private String ships() {
        var fleet = (List<?>) rules.get("fleet");
        return IntStream.range(0, fleet.size())
                .mapToObj(
                        row -> {
                            var ship = (Map<?, ?>) fleet.get(row);
                            int start = row * number(rules, "columns");
                            return Json.quoted((String) ship.get("name"))
                                    + ":"
                                    + cells(start, start + number(ship, "length"));
                        })
                .collect(Collectors.joining(","));
    }

    private static List<Integer> cells(int start, int end) {
        return IntStream.range(start, end).boxed().collect(Collectors.toCollection(ArrayList::new));
    }

    private static int number(Map<?, ?> object, String field) {
        return ((Double) object.get(field)).intValue();
    }
}

/** Reads JSON into maps, lists, strings, doubles and truth values. The arena sends no broken text. */
final class Json {
    private final String text;
    private int at;

    Json(String text) {
        this.text = text;
    }

    Object value() {
        switch (next()) {
            case '{':
                var object = new LinkedHashMap<String, Object>();
                for (at++; next() != '}'; at += next() == ',' ? 1 : 0) {
                    String key = string();
                    next();
                    at++; // the colon
                    object.put(key, value());
                }
                at++;
                return object;
            case '[':
                var array = new ArrayList<Object>();
                for (at++; next() != ']'; at += next() == ',' ? 1 : 0) {
                    array.add(value());
                }
                at++;
                return array;
            case '"':
                return string();
            default:
                int start = at;
                while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) {
                    at++;
                }
                String word = text.substring(start, at);
                return switch (word) {
                    case "null" -> null;
                    case "true", "false" -> word.equals("true");
                    default -> Double.valueOf(word); // exact for all integers below 2^53
                };
        }
    }

    static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            boolean plain = letter >= ' ' && letter != '"' && letter != '\\';
            quoted.append(plain ? String.valueOf(letter) : String.format("\\u%04x", (int) letter));
        }
        return quoted.append('"').toString();
    }

    private char next() {
        while (text.charAt(at) == ' ') {
            at++;
        }
        return text.charAt(at);
    }

    private String string() {
        var read = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            if (text.charAt(at) != '\\') {
                read.append(text.charAt(at));
            } else if (text.charAt(++at) == 'u') {
                read.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int escape = "bfnrt".indexOf(text.charAt(at));
                read.append(escape < 0 ? text.charAt(at) : "\b\f\n\r\t".charAt(escape));
            }
        }
        at++;
        return read.toString();
    }
}
