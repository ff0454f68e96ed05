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
