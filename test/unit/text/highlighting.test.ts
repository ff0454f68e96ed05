import assert from 'node:assert/strict';
import { highlighter } from '../../../src/text/highlighting.ts';

/** The same over and over, in lines and words as long as they may be. */
function repeated(unit: string, length: number): string {
	return unit
		.repeat(Math.ceil(length / unit.length))
		.replaceAll(/[^\n]{290}/g, '$&\n')
		.slice(0, length);
}

/** Grammars look from each of these to the end of the text, of the line or of the word, or begin a span at each. */
const hostile: readonly (readonly [language: string, unit: string])[] = [
	['cpp', `${'if'.repeat(49)} `],
	['c', `${'if'.repeat(30)} `],
	['cpp', '_'],
	['java', '$'],
	['java', 'é'],
	['javascript', '\n'],
	['javascript', ' '],
	['javascript', '!'],
	['javascript', 'if%(a'],
	['typescript', ':'],
	['typescript', '?a('],
	['typescript', '('],
	['c', '(a'],
	['cpp', '<'],
	['yaml', '{'],
	['yaml', '['],
	['yaml', '? '],
	['bash', '"'],
	['bash', "'a'"],
	['rust', "b'a'"],
	['rust', '1.1 '],
	['xml', '<a '],
	['xml', 'R"(a<a,<?a b '],
	['css', 'a:a;'],
	['json', '"a",'],
	['python', '"a"'],
	['go', '"a" '],
];

const ordinary: readonly (readonly [language: string, line: string])[] = [
	['bash', 'for f in *.c; do grep -n "word" "$f" | head -20; done # all of them\n'],
	['c', '\tif (reader->line[at] == \'\\0\' && count < 20) return fold(reader, "name", 3); /* end */\n'],
	['cpp', '\tstd::vector<int> counted(const std::string &name) { return found.at(name); } // here\n'],
	['diff', '+\treturn the_name_of_it(reader, "name");\n-\treturn NULL;\n context of the change\n'],
	['java', '\tpublic static int count(List<String> names) { return names.size() + 12; } // here\n'],
	['python', '    def count(self, names=None): return [name for name in names if name != "none"]  # here\n'],
	['rust', '    fn count(names: &[String]) -> usize { names.iter().filter(|name| name.len() > 2).count() }\n'],
	['typescript', '\tconst found = names.filter((name) => name !== "none").map(({ length }) => length + 1); // here\n'],
	['yaml', '- name: build\n  run: make test CFLAGS="-O2"  # everything\n'],
];

suite('colouring code', () => {
	test('a hundred lines that people write are coloured to their end', () => {
		const { begin, color } = highlighter();
		for (const [language, line] of ordinary) {
			begin();
			const code = repeated(line, 5900);
			const html = color(code, language) ?? assert.fail(language);
			assert.match(html.slice(-400), /hljs-/, language);
		}
	});

	test('code that was made to take long is given up, at the latest after so many spans', () => {
		const { begin, color } = highlighter();
		for (const [language, unit] of hostile) {
			begin();
			assert.equal(color(repeated(unit, 6000), language), undefined, `${language} ${unit}`);
		}
	});

	test('many pieces of code in one text cost no more than one', () => {
		const { begin, color } = highlighter();
		const [language, line] = ordinary[7] ?? assert.fail();
		const pieces = (): number =>
			Array.from({ length: 40 }, () => color(repeated(line, 1000), language)).filter(Boolean).length;
		begin();
		assert.equal(pieces(), 6);
		assert.equal(pieces(), 0, 'the same text goes on');
		begin();
		assert.equal(pieces(), 6);
	});

	test('a piece that is given up leaves colours for the next', () => {
		const { begin, color } = highlighter();
		begin();
		assert.equal(color('_'.repeat(290), 'cpp'), '_'.repeat(290));
		assert.equal(color(repeated('_', 3000), 'cpp'), undefined);
		assert.match(color('return 1;', 'cpp') ?? '', /hljs-keyword/);
	});
});
