// A bot in C#, for the tests of mono: one ship per row, cells in reading order.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

class Rows
{
    static int columns, next;
    static List<KeyValuePair<string, int>> fleet = new List<KeyValuePair<string, int>>();

    static string Word(string line, string field)
    {
        return Regex.Match(line, "\"" + field + "\":\"([^\"]*)\"").Groups[1].Value;
    }

    static int Number(string line, string field)
    {
        return int.Parse(Regex.Match(line, "\"" + field + "\":(\\d+)").Groups[1].Value);
    }

    static string Answer(string line)
    {
        switch (Word(line, "type"))
        {
            case "hello":
                return "{\"type\":\"hello\",\"protocol\":1,\"name\":\"Rows\"}";
            case "game":
                next = 0;
                columns = Number(line, "columns");
                var ships = Regex.Match(line, "\"fleet\":\\[(.*?)\\]").Groups[1].Value;
                fleet = Regex.Matches(ships, "\\{.*?\\}").Cast<Match>()
                    .Select(ship => new KeyValuePair<string, int>(
                        Word(ship.Value, "name"), Number(ship.Value, "length")))
                    .ToList();
                return null;
            case "place":
                var placed = fleet.Select((ship, row) => "\"" + ship.Key + "\":["
                    + string.Join(",", Enumerable.Range(row * columns, ship.Value)) + "]");
                return "{\"type\":\"layout\",\"id\":\"" + Word(line, "id")
                    + "\",\"ships\":{" + string.Join(",", placed) + "}}";
            case "shoot":
                int shots = Number(line, "shots");
                next += shots;
                return "{\"type\":\"shots\",\"id\":\"" + Word(line, "id") + "\",\"cells\":["
                    + string.Join(",", Enumerable.Range(next - shots, shots)) + "]}";
            default:
                return null;
        }
    }

    static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var answer = Answer(line);
            if (answer != null)
            {
                Console.WriteLine(answer);
            }
        }
    }
}
