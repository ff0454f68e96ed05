import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { commandTable } from '../../src/commands/table.ts';
import { languages } from './languages.ts';
import { localizedManifest } from './localizedManifest.ts';
import { root } from './places.ts';

/** A first argument of `l10n.t`, wherever the line breaks. */
const calls = /\bl10n\.t\(\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/g;

/** The extractor needs half a minute for all sources, and a tenth of a second for their calls alone. */
const extractable = (literal: string): string => `vscode.l10n.t(${literal});`;

/** Translatable texts of the sources, of the manifest and of commands outside of it, sorted. */
export async function uiTexts(): Promise<readonly string[]> {
	const sources = globSync('src/**/*.ts', { cwd: root });
	const literals = sources.flatMap((file) =>
		Array.from(readFileSync(join(root, file), 'utf8').matchAll(calls), ([, literal = '']) => literal),
	);
	const contents = ["import * as vscode from 'vscode';", ...literals.map(extractable)].join('\n');
	const found = await getL10nJson([{ extension: '.ts', contents }]);
	const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const { texts } = localizedManifest(manifest);
	const titles = Object.values(commandTable).map(({ title }) => title);
	return [...new Set([...Object.keys(found), ...Object.values(texts), ...titles])].toSorted();
}

/** Adds new texts to the bundle of each language, empty, and removes those that nothing shows. */
export async function updateLanguages(): Promise<number> {
	const current = await uiTexts();
	for (const { file, texts } of languages()) {
		const updated = Object.fromEntries(current.map((text) => [text, texts[text] ?? '']));
		writeFileSync(join(root, file), `${JSON.stringify(updated, undefined, '\t')}\n`);
		const empty = Object.values(updated).filter((text) => text === '').length;
		console.log(`${file}: ${current.length} texts, ${empty} to translate`);
	}
	return 0;
}
