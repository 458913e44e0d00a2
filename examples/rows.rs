// A bot in Rust, with the standard library alone: one ship per row, random shots.
//
//     rustc -O rows.rs

use std::io::{self, BufRead, Write};

/// The length of the JSON value that a text begins with. The arena sends no broken ones.
fn length(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b',' | b']' | b'}' if depth == 0 => return at,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The items of a JSON array, or the fields of an object, as they are written.
fn items(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = &value[1..value.len() - 1];
    std::iter::from_fn(move || {
        let item = &rest[..length(rest)];
        rest = rest.get(item.len() + 1..).unwrap_or("");
        (!item.is_empty()).then(|| item.trim())
    })
}

/// The value of a field of a JSON object, as it is written; empty if there is none.
fn field<'a>(object: &'a str, name: &str) -> &'a str {
    items(object)
        .filter_map(|item| item.split_once(':'))
        .find(|(key, _)| key.trim().trim_matches('"') == name)
        .map_or("", |(_, value)| value.trim())
}

fn number(object: &str, name: &str) -> usize {
    field(object, name).parse().unwrap_or_default()
}

fn join(cells: impl Iterator<Item = usize>) -> String {
    cells.map(|cell| cell.to_string()).collect::<Vec<_>>().join(",")
}

/// A xorshift generator: the arena's seed decides all of its numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn layout(rules: &str) -> String {
    let columns = number(rules, "columns");
    items(field(rules, "fleet"))
        .enumerate()
        .map(|(row, ship)| {
            let start = row * columns;
            let cells = join(start..start + number(ship, "length"));
            format!("{}:[{cells}]", field(ship, "name"))
        })
        .collect::<Vec<_>>()
        .join(",")
}

fn main() -> io::Result<()> {
    let mut rules = String::new();
    let mut untried = Vec::new();
    let mut random = Random(1);

    for line in io::stdin().lock().lines() {
        let line = line?;
        let message = line.trim();
        let id = field(message, "id");
        let answer = match field(message, "type").trim_matches('"') {
            "hello" => r#"{"type":"hello","protocol":1,"name":"Rows"}"#.to_string(),
            "game" => {
                rules = field(message, "rules").to_string();
                untried = (0..number(&rules, "rows") * number(&rules, "columns")).collect();
                random = Random(number(message, "seed") as u64 + 1);
                continue;
            }
            "place" => format!(r#"{{"type":"layout","id":{id},"ships":{{{}}}}}"#, layout(&rules)),
            "shoot" => {
                let count = number(message, "shots");
                let cells = (0..count).map(|_| untried.swap_remove(random.below(untried.len())));
                format!(r#"{{"type":"shots","id":{id},"cells":[{}]}}"#, join(cells))
            }
            "bye" => return Ok(()),
            "fault" => {
                eprintln!("stopped: {}", field(message, "reason"));
                continue;
            }
            _ => continue,
        };
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}
