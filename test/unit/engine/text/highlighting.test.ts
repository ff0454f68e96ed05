import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inRounds } from '../../../support/counts.ts';
import { highlighter } from '../../../../src/engine/text/highlighting.ts';

/** A unit repeated in lines and words of the maximum length. */
function repeated(unit: string, length: number): string {
	return unit
		.repeat(Math.ceil(length / unit.length))
		.replaceAll(/[^\n]{290}/g, '$&\n')
		.slice(0, length);
}

/** Grammars scan from each of these to the end of the text, line or word, or begin a span at each. */
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

/** The text that a page shows for coloured code. */
function shown(html: string): string {
	const characters: Readonly<Record<string, string>> = {
		lt: '<',
		gt: '>',
		amp: '&',
		quot: '"',
		'#39': "'",
		'#x27': "'",
	};
	return html
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/&([#\w]+);/g, (_, name: string) => characters[name] ?? assert.fail(name));
}

function assertWhole(html: string, code: string): void {
	assert.equal(shown(html), code);
	assert.equal(html.match(/<span /g)?.length, html.match(/<\/span>/g)?.length, 'every span has an end');
}

const named = ['bash', 'c', 'cpp', 'css', 'diff', 'go', 'java', 'javascript', 'json', 'python', 'rust', 'typescript'];

/** Starts and ends of embedded languages, and the beginnings of spans in them. */
const snippets = [
	'html`',
	'css`',
	'gql`',
	'`',
	'${',
	'}',
	'<a>',
	'<script>',
	'</script>',
	'<style>',
	'</style>',
	'<!--',
	'-->',
	'<?php',
	'?>',
	'a{b:c;}',
	'"',
	"'",
	'\n',
	' ',
	'return 1',
	'/* ',
	' */',
	'// x\n',
	'+ x\n',
	'&amp;',
	'a: b\n',
	'#include <a>\n',
	'R"(',
	')"',
	'\u{1F41E}\u202E',
];

suite('code highlighting', () => {
	test('loses no code if colours end inside an embedded language', () => {
		const { begin, color } = highlighter();
		const tags = Array.from({ length: 30 }, () => '<a>'.repeat(25)).join('\n');
		const rules = Array.from({ length: 30 }, () => 'a{b:1}'.repeat(20)).join('\n');
		for (const [language, code] of [
			['javascript', `html\`${tags}\nTHE END\`\n`],
			['typescript', `html\`${tags}\nTHE END\`\n`],
			['javascript', `css\`${rules}\nTHE END\`\n`],
			['xml', `<script>\n${Array.from({ length: 60 }, () => 'f(1, "a");'.repeat(8)).join('\n')}\nTHE END</script>`],
			['xml', `<style>\n${rules}\nTHE END</style>`],
		] as const) {
			begin();
			assert.equal(color(code, language), undefined, code.slice(0, 12));
			assert.equal(color('"a"', language), undefined, 'a text in which the colours ended stays plain');
			begin();
			assert.match(color('"a"', language) ?? '', language === 'xml' ? /^&quot;a&quot;$/ : /hljs-string/);
		}
	});

	test('never changes the code', () => {
		const { begin, color } = highlighter();
		let colored = 0;
		fc.assert(
			fc.property(
				fc.constantFrom(...named, 'xml', 'yaml'),
				fc.array(fc.constantFrom(...snippets), { maxLength: 40 }),
				fc.integer({ min: 1, max: 40 }),
				(language, parts, times) => {
					begin();
					const code = `${parts.join('')}\n`.repeat(times);
					const html = color(code, language);
					if (html !== undefined) {
						colored += 1;
						assertWhole(html, code);
					}
				},
			),
			inRounds({ least: 300, small: 300, full: 6000 }),
		);
		assert.ok(colored > 50, `${colored} were coloured`);
	});

	test('colours a hundred ordinary lines to their end', () => {
		const { begin, color } = highlighter();
		for (const [language, line] of ordinary) {
			begin();
			const code = repeated(line, 5900);
			const html = color(code, language) ?? assert.fail(language);
			assert.match(html.slice(-400), /hljs-/, language);
		}
	});

	test('gives up on code built to take long, or after too many spans', () => {
		const { begin, color } = highlighter();
		for (const [language, unit] of hostile) {
			begin();
			assert.equal(color(repeated(unit, 6000), language), undefined, `${language} ${unit}`);
		}
	});

	test('limits all pieces of code in one text together', () => {
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

	test('continues with the next piece after it gave up on one', () => {
		const { begin, color } = highlighter();
		begin();
		assert.equal(color('_'.repeat(290), 'cpp'), '_'.repeat(290));
		assert.equal(color(repeated('_', 3000), 'cpp'), undefined);
		assert.match(color('return 1;', 'cpp') ?? '', /hljs-keyword/);
	});
});
