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

const languages = { bash, c, cpp, css, diff, go, java, javascript, json, python, rust, typescript, xml, yaml };

/** Colouring longer code than this is not worth the wait. */
const longestCode = 50_000;

/** Colours code of a named language; `undefined` for languages that are not known here. The result is safe HTML. */
export type Highlighter = (code: string, language: string) => string | undefined;

/** The languages that patches and tickets are mostly about; a fence must name its language, nothing is guessed. */
export function highlighter(): Highlighter {
	const engine = hljs.newInstance();
	for (const [name, grammar] of Object.entries(languages)) {
		engine.registerLanguage(name, grammar);
	}
	return (code, language) =>
		code.length <= longestCode && engine.getLanguage(language)
			? engine.highlight(code, { language, ignoreIllegals: true }).value
			: undefined;
}
