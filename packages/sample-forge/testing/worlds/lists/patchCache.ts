import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isRecord, isTexts } from '../../../src/shared/body.ts';
import { createGitProgram } from '../../../src/git/gitProgram.ts';
import type { MadeSeries } from '../../../src/worlds/lists/tellMail.ts';
import { makePatches, writeImport, type PatchMakerParts } from './patchMaker.ts';
import type { SeriesPlan } from './seriesPlan.ts';

export interface PatchCacheParts extends Pick<PatchMakerParts, 'startMs' | 'writer' | 'baseOf'> {
	/** Cache folder, keyed by a hash of the content. */
	readonly cacheDir: string;
	/** Temporary folder of the repository. */
	readonly tempDir: string;
	readonly signal: AbortSignal;
}

/** Increment after a change of the patch generator. */
const way = 2;

/** Patches of all series: cached ones if the plans are unchanged, otherwise new ones from git. */
export async function loadPatches(
	plans: readonly SeriesPlan[],
	parts: PatchCacheParts,
): Promise<Readonly<Record<string, MadeSeries>>> {
	const imported = writeImport(plans, parts);
	const heads = plans.map(({ key, tag, version, cover, sender, day }) => [key, tag, version, cover, sender, day]);
	const hash = createHash('sha256')
		.update(JSON.stringify([way, heads]))
		.update(imported)
		.digest('hex')
		.slice(0, 20);
	const path = join(parts.cacheDir, `mail-${hash}.json`);
	return (await readKept(path, plans)) ?? (await makeAndKeep(path, { plans, imported, parts }));
}

async function readKept(
	path: string,
	plans: readonly SeriesPlan[],
): Promise<Readonly<Record<string, MadeSeries>> | undefined> {
	let kept: unknown;
	try {
		kept = JSON.parse(await readFile(path, 'utf8'));
	} catch {
		// Missing, or truncated by a crash: regenerate both.
		return undefined;
	}
	const series: Record<string, MadeSeries> = {};
	for (const { key, commits } of plans) {
		const found = isRecord(kept) ? kept[key] : undefined;
		if (!isMadeSeries(found) || found.commits.length !== commits.length) {
			return undefined;
		}
		series[key] = found;
	}
	return series;
}

function isMadeSeries(value: unknown): value is MadeSeries {
	return isRecord(value) && isTexts(value['mails']) && isTexts(value['commits']);
}

interface Making {
	readonly plans: readonly SeriesPlan[];
	readonly imported: Buffer;
	readonly parts: PatchCacheParts;
}

async function makeAndKeep(
	path: string,
	{ plans, imported, parts }: Making,
): Promise<Readonly<Record<string, MadeSeries>>> {
	const { signal, startMs, writer, baseOf, cacheDir } = parts;
	const directory = await mkdtemp(join(parts.tempDir, 'mail-'));
	try {
		const git = createGitProgram(directory, signal);
		const made = await makePatches(plans, imported, { git, directory, startMs, writer, baseOf });
		await mkdir(cacheDir, { recursive: true });
		// Written aside and moved, so that two forges that start at once never read half a file.
		const aside = `${path}.${basename(directory)}`;
		await writeFile(aside, JSON.stringify(made));
		await rename(aside, path);
		return made;
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}
