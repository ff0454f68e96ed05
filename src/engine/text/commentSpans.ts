/** How comments and strings are written. Omits patterns that need a parser. */
export type Family =
	| 'slashes'
	| 'slashesTicks'
	| 'slashesHash'
	| 'hash'
	| 'dashes'
	| 'semicolon'
	| 'percent'
	| 'markup'
	| 'blocks';

/** Languages by the editor's own ids. */
const rows: readonly (readonly [Family, string])[] = [
	[
		'slashes',
		'c cpp csharp cuda-cpp dart fsharp glsl groovy hlsl java kotlin less objective-c objective-cpp rust scala scss ' +
			'shaderlab solidity swift verilog zig',
	],
	['slashesTicks', 'd go hare javascript javascriptreact typescript typescriptreact'],
	['slashesHash', 'php'],
	[
		'hash',
		'coffeescript cmake dockerfile elixir graphql julia makefile meson nim nix perl perl6 powershell properties python ' +
			'r raku ruby shellscript starlark tcl toml yaml ignore dockercompose',
	],
	['dashes', 'ada elm haskell lua sql vhdl'],
	['semicolon', 'clojure commonlisp emacs-lisp ini lisp racket scheme'],
	['percent', 'erlang latex matlab prolog tex bibtex'],
	['markup', 'html svelte vue xml xsl'],
	['blocks', 'css'],
];

/** Every language whose comments are known. */
export const languageFamilies: ReadonlyMap<string, Family> = new Map(
	rows.flatMap(([family, ids]) => ids.split(' ').map((id) => [id, family] as const)),
);

/** A part of a text: UTF-16 offsets, `end` after the last character. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** Languages with colours such as `#a1b2c3`. */
const colourful = new Set(['css', 'less', 'scss']);

/** True when `#123` may mean a colour in this language. */
export function hasColours(languageId: string): boolean {
	return colourful.has(languageId);
}

/*
 * One pattern per family that runs over a text once: strings first, so that a comment's leader in a string is none. A
 * string that is not closed on its line ends there. `comment` holds what is inside, without the leader.
 */
const double = String.raw`"(?:\\[\s\S]|[^"\\\n])*"?`;
const single = String.raw`'(?:\\.|[^'\\\n]){0,200}'`;
const template = '`(?:\\\\[\\s\\S]|[^`\\\\])*`?';
/** A pattern begins in the place of a value. After a name or a bracket, the slash divides. */
const regex = String.raw`(?<=[=(,:;!&|?{[][ \t]{0,8}|\b(?:return|case)[ \t]{1,8}|^[ \t]{0,80})\/(?![*\/>])(?:\\.|\[(?:\\.|[^\]\\\n]){0,500}\]|[^/[\\\n]){1,500}\/`;
const strings = `${double}|${single}`;
const slashes = String.raw`\/\/(?<comment>[^\n]*)`;
const block = String.raw`\/\*(?<inner>[\s\S]*?)(?:\*\/|(?![\s\S]))`;

const patterns: Readonly<Record<Family, RegExp>> = {
	slashes: pattern(strings, slashes, block),
	slashesTicks: pattern(`${strings}|${template}`, slashes, block, regex),
	slashesHash: pattern(strings, String.raw`(?:\/\/|#)(?<comment>[^\n]*)`, block),
	hash: pattern(strings, String.raw`(?<![^\s;{}()])#(?<comment>[^\n]*)`),
	dashes: pattern(strings, String.raw`--(?<comment>[^\n]*)`, String.raw`\{-(?<inner>[\s\S]*?)(?:-\}|(?![\s\S]))`),
	semicolon: pattern(double, String.raw`(?<![^\s()])[;](?<comment>[^\n]*)`),
	percent: pattern(String.raw`\\%`, String.raw`%(?<comment>[^\n]*)`),
	markup: pattern(String.raw`(?!)`, String.raw`<!--(?<inner>[\s\S]*?)(?:-->|(?![\s\S]))`),
	blocks: pattern(strings, block),
};

function pattern(...alternatives: readonly string[]): RegExp {
	return new RegExp(alternatives.join('|'), 'dgm');
}

/**
 * The insides of a text's comments, by a table of leaders and without parsing: a rare string or pattern may fool it.
 * Nothing for languages that are not in the table.
 */
export function commentSpans(text: string, languageId: string): readonly Span[] {
	const family = languageFamilies.get(languageId);
	if (!family) {
		return [];
	}
	const spans: Span[] = [];
	for (const match of text.matchAll(patterns[family])) {
		const { comment, inner } = match.indices?.groups ?? {};
		const inside = comment ?? inner;
		if (inside) {
			spans.push({ start: inside[0], end: inside[1] });
		}
	}
	return spans;
}

/**
 * The parts of a Markdown text that are prose: fenced blocks, code spans and the targets of links are left out, because
 * `#12` means something else in them.
 */
export function proseSpans(text: string): readonly Span[] {
	const spans: Span[] = [];
	let from = 0;
	for (const match of text.matchAll(notProse)) {
		spans.push({ start: from, end: match.index });
		from = match.index + match[0].length;
	}
	spans.push({ start: from, end: text.length });
	return spans.filter(({ start, end }) => end > start);
}

const notProse =
	/^ {0,3}(?<fence>```+|~~~+)[^\n]*(?:\n(?! {0,3}\k<fence>)[^\n]*)*(?:\n {0,3}\k<fence>[^\n]*)?|(?<!`)(?<ticks>`+)(?!`)[^\n]{0,1000}?(?<!`)\k<ticks>(?!`)|\]\([^()\s]{0,2000}/gm;
