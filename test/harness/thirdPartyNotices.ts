import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from './places.ts';
import { PlainProblem } from './plainProblem.ts';

const metafile = v.object({ inputs: v.record(v.string(), v.unknown()) });
const packageFacts = v.object({ name: v.string(), version: v.string() });
const rule = '-'.repeat(80);

/** Folders of the bundled packages, from what esbuild wrote about its bundles. */
export function bundledFolders(): readonly string[] {
	const inputs = ['extension', 'pages'].flatMap((name) =>
		Object.keys(v.parse(metafile, readJson(`dist/meta/${name}.json`)).inputs),
	);
	// A package may hold packages of its own.
	const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
	return [...new Set(folders)].toSorted();
}

/** `name@version` of the package in a folder. */
export function packageIn(folder: string): string {
	const { name, version } = v.parse(packageFacts, readJson(`${folder}/package.json`));
	return `${name}@${version}`;
}

/** The licences of all bundled packages. */
export function thirdPartyNotices(folders: readonly string[]): string {
	const notices = folders.map((folder) => {
		const { name, version } = v.parse(packageFacts, readJson(`${folder}/package.json`));
		const files = readdirSync(join(root, folder)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
		if (files.length === 0) {
			throw new PlainProblem(`${folder} has no licence. It cannot ship.`);
		}
		const texts = files.toSorted().map((file) => readFileSync(join(root, folder, file), 'utf8'));
		const text = texts.map((each) => each.replaceAll('\r\n', '\n').trim()).join('\n\n');
		return `${rule}\n${name} ${version}\n${rule}\n\n${text}\n`;
	});
	return `Forge Desk contains these packages, under these licences.\n\n${notices.join('\n')}`;
}

function readJson(path: string): unknown {
	return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
