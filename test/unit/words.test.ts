import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../../src/commands/command.ts';
import { commandTable } from '../../src/commands/table.ts';
import { localizedManifest } from '../harness/localizedManifest.ts';

const root = join(import.meta.dirname, '../..');

/** The first argument of `l10n.t`, across line breaks; some files call the function `t`. */
const call = /\bt\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

interface Said {
	readonly text: string;
	readonly place: string;
}

function inSources(): readonly Said[] {
	const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
	return files
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => {
			const source = readFileSync(join(root, 'src', file), 'utf8');
			return source.includes('l10n')
				? Array.from(source.matchAll(call), ([, one, other]) => ({
						text: (one ?? other ?? '').replaceAll(/\\(['"\\])/g, '$1').replaceAll(String.raw`\n`, '\n'),
						place: file,
					}))
				: [];
		});
}

const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sources = inSources();
/** Titles of commands that the manifest does not contain. */
const inTable: readonly Said[] = Object.entries<Command>(commandTable).map(([place, { title }]) => ({
	text: title,
	place,
}));
/** Visible texts of the manifest. */
const inManifest: readonly Said[] = Object.entries(localizedManifest(manifest).texts).map(([place, text]) => ({
	text,
	place,
}));
const said = [...sources, ...inManifest, ...inTable];
const page = readFileSync(join(root, 'docs/words.md'), 'utf8');

/** Words in backticks: those that no text uses, and those of the glossary's last column. */
function unusedWords(): readonly string[] {
	const [, line = ''] = /^Words that no text has: (.*)$/m.exec(page) ?? [];
	const columns = Array.from(page.matchAll(/^\|[^|]*\|[^|]*\|([^|]*)\|$/gm), ([, column = '']) => column);
	return [line, ...columns].flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, word = '']) => word));
}

function withWord(word: string): readonly string[] {
	const pattern = new RegExp(`(?<![\\w-])${word.replaceAll(/[{}]/g, String.raw`\$&`)}(?![\\w-])`, 'i');
	return found((text) => pattern.test(text));
}

function found(isWrong: (text: string) => boolean): readonly string[] {
	return said.filter(({ text }) => isWrong(text)).map(({ text, place }) => `${place}: ${text}`);
}

/** Small words of titles, and names with a fixed spelling. */
const smallWords = /^(?:a|an|and|as|at|by|for|from|if|in|of|on|or|the|to|with|git|am|\.mbox)$/;

function isTitle(text: string): boolean {
	return text.split(/[\s…]+/).every((word, at) => (at > 0 && smallWords.test(word)) || !/^[a-z]/.test(word));
}

/** Nouns after a number in texts. */
const counted =
	/\{\d\}\+? (?:(?!in|of|at|on|for|with|has|is|as)[a-z]+ )?(bases|branches|bytes|characters|comments|commits|entries|files|folders|labels|lines|lists|messages|pages|parents|patches|patchsets|problems|replies|requests|tags|threads|tickets|trackers|versions)\b/;

/** The count in these texts is never one. */
const neverOne: ReadonlySet<string> = new Set([
	'A comment can have at most {0} characters.',
	'A comment must have {0} to {1} characters.',
	'A comment must have {0} to {1} characters. Change it and try again.',
	'A comment needs at least {0} characters.',
	'A title must have {0} to {1} characters. Change it and try again.',
	'A description can have at most {0} characters.',
	'A filter can have at most {0} characters. Shorten it.',
	'A name can have at most {0} characters.',
	'A name must have 1 to {0} characters.',
	'Comment on {0} tickets',
	'Enter at most {0} characters.',
	'Only the first {0} of {1} files are shown.',
	'Only the first {0} of {1} parents are offered.',
	'Search {0} files of {1}?',
	"Send this comment to {0} tickets? Comments can't be undone.",
	'Set the status of {0} patchsets to {1}?',
	'Status of {0} patchsets',
	'The first line is the title. Write at least {0} characters.',
	'The merge base of {0} and {1} was not found in {2} pages of the log. All changes can be shown.',
	'The title is too short: write at least {0} characters.',
	'There are {0} merge bases. The newest is used.',
	'Undo the changes of {0} tickets?',
	'binary; the patch contains {0} bytes of changes, not the whole file',
	'{0} more characters in the document.',
	'{0} new entries in your inbox',
	'{0} tickets',
]);

suite('glossary of docs/words.md', () => {
	/** Names of code, split into words: `findLostWrite` is find, lost and write. */
	const codeWords = new Set(
		readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.flatMap((file) => readFileSync(join(root, 'src', file), 'utf8').match(/[a-z]+|[A-Z][a-z]*/g) ?? [])
			.map((word) => word.toLowerCase()),
	);

	test('has only terms that texts use', () => {
		const terms = Array.from(page.matchAll(/^\| ([^|`]+) \|[^|]*\|[^|]*\|$/gm), ([, cell = '']) => cell.split(', '))
			.flat()
			.filter((term) => !/^(?:term|-+)$/.test(term));
		assert.ok(terms.length > 70, String(terms.length));
		const isUsed = (term: string): boolean =>
			said.some(({ text }) => new RegExp(`(?<![\\w-])${term.replace(/e?y?$/, '')}`, 'i').test(text));
		assert.deepEqual(
			terms.filter((term) => !isUsed(term)),
			[],
		);
	});

	test('explains only words that code still has', () => {
		const [, section = ''] = /^## In code$(.*)/ms.exec(page) ?? [];
		const names = Array.from(section.matchAll(/^\| ([^|]+) \|[^|]*\|$/gm), ([, cell = '']) => cell)
			.flatMap((cell) => Array.from(cell.matchAll(/`([A-Za-z]+)`/g), ([, name = '']) => name))
			.flatMap((name) => name.match(/[a-z]+|[A-Z][a-z]*/g) ?? []);
		assert.ok(names.length > 10, String(names.length));
		assert.deepEqual(
			names.filter((name) => !codeWords.has(name.toLowerCase())),
			[],
		);
	});
});

suite('visible texts', () => {
	test('are all found', () => {
		const calls = sources.length;
		assert.ok(calls > 1500, String(calls));
		assert.ok(said.length > calls + 150, String(said.length));
		assert.ok(sources.some(({ text }) => text === 'Wrap lines'));
		assert.ok(said.some(({ text }) => text === 'Sign In…'));
	});

	test('are literals, because the extraction reads nothing else but titles of the table', () => {
		const literal = /^\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*[,)]|^\(commandTable\[id\]\.title\)/;
		const extracted = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).flatMap((file) => {
			const source = file.endsWith('.ts') ? readFileSync(join(root, 'src', file), 'utf8') : '';
			return Array.from(source.matchAll(/\bl10n\.t\b/g), ({ index }) => ({
				file,
				call: source.slice(index + 'l10n.t'.length, index + 1_000),
			}));
		});
		assert.ok(extracted.length > 2_000, String(extracted.length));
		assert.deepEqual(
			extracted
				.filter(({ call }) => !literal.test(call))
				.map(({ file, call }) => `${file}: l10n.t${call.slice(0, 60)}`),
			[],
		);
	});

	test('contain none of the words that docs/words.md excludes', () => {
		const words = unusedWords();
		assert.ok(words.length > 50, String(words.length));
		assert.deepEqual(
			words.flatMap((word) => withWord(word).map((each) => `"${word}" in ${each}`)),
			[],
		);
	});

	test('have no leading, trailing or double spaces', () => {
		assert.deepEqual(
			found((text) => text !== text.trim() || text.includes('  ')),
			[],
		);
	});

	test('have straight quotes, one character for an ellipsis, and no exclamation marks', () => {
		assert.deepEqual(
			found((text) => /[“”‘’„]|\.\.\.|\w!/.test(text)),
			[],
		);
	});

	test('end like a sentence if they contain one', () => {
		assert.deepEqual(
			found((text) => /[.?] [A-Z]/.test(text) && !/[.?:}…)"]$/.test(text)),
			[],
		);
	});

	test('use the same case if they are equal otherwise', () => {
		const spellings = new Map<string, Set<string>>();
		for (const { text } of said) {
			const key = text.toLowerCase();
			const spelled = text.slice(0, 1).toLowerCase() + text.slice(1);
			spellings.set(key, (spellings.get(key) ?? new Set()).add(spelled));
		}
		assert.deepEqual(
			Array.from(spellings.values(), (each) => [...each]).filter((each) => each.length > 1),
			[],
		);
	});

	test('put the question word first', () => {
		const asking = /(?:^|[.:] )(?!(?:What|Which|Who|Where|How|Why)\b)[^.?:]*\b(?:what|which|who|where|how)\b[^.?:]*\?/;
		assert.deepEqual(
			found((text) => asking.test(text)),
			[],
		);
	});

	test('have a separate text for one of a counted noun', () => {
		const lacking = sources.filter(({ text, place }) => {
			const noun = counted.exec(text)?.[1];
			if (noun === undefined || neverOne.has(text)) {
				return false;
			}
			const one = new RegExp(
				`\\b(?:1|another) (?:[a-z]+ )*${noun.replace(/ies$/, 'y').replace(/(?<=ch)es$|s$/, '')}\\b`,
				'i',
			);
			return !sources.some((each) => each.place === place && one.test(each.text));
		});
		assert.deepEqual(
			lacking.map(({ text, place }) => `${place}: ${text}`),
			[],
		);
	});

	test('with an ellipsis for a command have title case', () => {
		const wrong = found(
			(text) => text.endsWith('…') && !/^(?:A|An|Another|The|[A-Za-z]+ing)\b/.test(text) && !isTitle(text),
		);
		assert.deepEqual(wrong, []);
	});

	test('of commands have title case', () => {
		const titles = said.filter(({ place }) => /^contributes\.commands\.\d+\.title$/.test(place));
		assert.ok(titles.length > 100, String(titles.length));
		assert.deepEqual(
			titles.map(({ text }) => text).filter((text) => !isTitle(text)),
			[],
		);
	});
});
