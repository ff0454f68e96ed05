import type { Emitter } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from '../../base/escapeHtml.ts';

const languages = { bash, c, cpp, css, diff, go, java, javascript, json, python, rust, typescript, xml, yaml };

/** No person wrote or reads such a line. */
const longestLine = 300;

/** Remaining budget of one text. The whole budget takes less than a frame. */
interface Allowance {
	characters: number;
	/** In units of `effort`. Ordinary code takes a tenth of the budget for 600 characters. */
	effort: number;
	/** Number of spans; each costs more than its characters. */
	spans: number;
	/** A span was refused, so the colouring is incomplete. */
	isSpent: boolean;
}

const whole: Readonly<Allowance> = { characters: 6000, effort: 100_000, spans: 1200, isSpent: false };

/** Scopes with a colour on pages. Other scopes yield plain text. */
const colored = new Set([
	'addition',
	'attr',
	'built_in',
	'comment',
	'deletion',
	'keyword',
	'literal',
	'meta',
	'name',
	'number',
	'quote',
	'regexp',
	'selector-tag',
	'string',
	'title',
	'type',
]);

/** Writes HTML as the code is read, instead of a tree that is written out afterwards. */
class MarkupEmitter implements Emitter {
	#html = '';
	#textLength = 0;
	/** For each open scope whether it opened an element. */
	readonly #open: boolean[] = [];
	readonly #left: Allowance;

	constructor(left: Allowance) {
		this.#left = left;
	}

	addText(text: string): void {
		this.#html += escapeHtml(text);
		this.#textLength += text.length;
	}

	/** How many characters of the code were written. */
	get textLength(): number {
		return this.#textLength;
	}

	startScope(scope: string): void {
		if (this.#left.spans === 0) {
			this.#left.isSpent = true;
			throw new RangeError('Colouring this would take too long');
		}
		this.#left.spans -= 1;
		const dot = scope.indexOf('.');
		const name = dot === -1 ? scope : scope.slice(0, dot);
		const isColored = colored.has(name);
		this.#open.push(isColored);
		if (isColored) {
			this.#html += `<span class="hljs-${name}">`;
		}
	}

	endScope(): void {
		if (this.#open.pop() === true) {
			this.#html += '</span>';
		}
	}

	openNode(scope: string): void {
		this.startScope(scope);
	}

	closeNode(): void {
		this.endScope();
	}

	__addSublanguage(inner: Emitter): void {
		this.#html += inner.toHTML();
		this.#textLength += inner instanceof MarkupEmitter ? inner.textLength : 0;
	}

	finalize(): void {
		while (this.#open.length > 0) {
			this.endScope();
		}
	}

	toHTML(): string {
		return this.#html;
	}
}

/** Colours the code of one text after the other. */
export interface Highlighter {
	/** Begins another text, with a full budget. */
	readonly begin: () => void;
	/**
	 * The code as safe HTML. `undefined` for unknown languages, and for code whose colouring would take too long.
	 */
	readonly color: (code: string, language: string) => string | undefined;
	/** Prepares a language; slow on the first use. False if prepared or unknown. */
	readonly warm: (language: string) => boolean;
}

/** The languages that patches and tickets are mostly about; a fence must name its language, nothing is guessed. */
export function highlighter(): Highlighter {
	const left = { ...whole };
	const engine = hljs.newInstance();
	engine.configure({
		__emitter: class extends MarkupEmitter {
			constructor() {
				super(left);
			}
		},
	});
	for (const [name, grammar] of Object.entries(languages)) {
		engine.registerLanguage(name, grammar);
	}
	/** Those whose grammars were used. */
	const ready = new Set<unknown>();
	return {
		begin: () => void Object.assign(left, whole),
		color(code, language) {
			const grammar = engine.getLanguage(language);
			if (left.isSpent || !grammar || code.length > left.characters) {
				return undefined;
			}
			const cost = effort(code);
			if (cost > left.effort) {
				return undefined;
			}
			left.characters -= code.length;
			left.effort -= cost;
			ready.add(grammar);
			const { value, errorRaised, _emitter } = engine.highlight(code, { language, ignoreIllegals: true });
			// The engine swallows exceptions of nested languages, and the rest of their code would be missing.
			const isWhole = _emitter instanceof MarkupEmitter && _emitter.textLength === code.length;
			return errorRaised || left.isSpent || !isWhole ? undefined : value;
		},
		warm(language) {
			const grammar = engine.getLanguage(language);
			if (!grammar || ready.has(grammar)) {
				return false;
			}
			ready.add(grammar);
			engine.highlight('a', { language, ignoreIllegals: true });
			return true;
		},
	};
}

/**
 * How many characters a grammar looks at, at worst: beginning anew at each of a name, a gap or a row of signs, and once
 * for each open bracket. Infinitely many in a line that is too long.
 */
function effort(code: string): number {
	let sum = 0;
	let depth = 0;
	let length = 0;
	let last = -1;
	let line = 0;
	for (let at = 0; at < code.length; at++) {
		const unit = code.charCodeAt(at);
		const kind = unit < ascii ? (kinds[unit] ?? 0) : 0;
		line = unit === newline ? 0 : line + 1;
		if (line >= longestLine) {
			return Infinity;
		}
		length = kind === last ? length + 1 : 1;
		last = kind;
		// The squares of the lengths, as they grow.
		sum += 2 * length - 1;
		if (kind === 2) {
			depth = Math.max(0, depth + (turns[unit] ?? 0));
			sum += turns[unit] === 0 ? 0 : depth;
		}
	}
	return sum;
}

const ascii = 128;
const newline = 0x0a;

/** Whether a character is of a name (0), a gap (1) or a sign (2). All beyond ASCII are taken for a part of a name. */
const kinds = Uint8Array.from({ length: ascii }, (_, unit) => {
	const character = String.fromCharCode(unit);
	if (/[\w$]/.test(character)) {
		return 0;
	}
	return /\s/.test(character) ? 1 : 2;
});

/** By how much a bracket changes the depth. */
const turns = Int8Array.from({ length: ascii }, (_, unit) => {
	const character = String.fromCharCode(unit);
	return Number('([{'.includes(character)) - Number(')]}'.includes(character));
});
