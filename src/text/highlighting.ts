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
import { escapeHtml } from '../base/escapeHtml.ts';

const languages = { bash, c, cpp, css, diff, go, java, javascript, json, python, rust, typescript, xml, yaml };

/** Colouring longer code than this holds up everything else for longer than a frame. */
const longestCode = 8000;

/** Many grammars look through such a word or line once for each of its characters; no person wrote or reads them. */
const tooLong = /\w{100}|[^\n]{300}/;

/** What has a colour of its own on pages; of everything else only the text is of use. */
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
	/** For each open scope whether it opened an element. */
	readonly #open: boolean[] = [];

	addText(text: string): void {
		this.#html += escapeHtml(text);
	}

	startScope(scope: string): void {
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

/** Colours code of a named language; `undefined` for languages that are not known here. The result is safe HTML. */
export type Highlighter = (code: string, language: string) => string | undefined;

/** The languages that patches and tickets are mostly about; a fence must name its language, nothing is guessed. */
export function highlighter(): Highlighter {
	const engine = hljs.newInstance();
	engine.configure({ __emitter: MarkupEmitter });
	for (const [name, grammar] of Object.entries(languages)) {
		engine.registerLanguage(name, grammar);
	}
	return (code, language) =>
		code.length <= longestCode && !tooLong.test(code) && engine.getLanguage(language)
			? engine.highlight(code, { language, ignoreIllegals: true }).value
			: undefined;
}
