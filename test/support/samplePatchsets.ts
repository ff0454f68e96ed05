import type { Forge } from 'sourcehut/port/forge.ts';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import type { ObjectsOfClone } from '../../src/store/wholeFiles/preImage.ts';
import { repositoryChoices } from '../../src/store/wholeFiles/repositoryChoices.ts';
import { repositoryOfPatch } from '../../src/store/wholeFiles/repositoryOfPatch.ts';
import type { SeriesFile } from '../../src/store/wholeFiles/seriesFiles.ts';
import {
	filesOfSeries,
	wholeFiles,
	type WantedSeries,
	type WholeFiles,
	type WholeFilesContext,
} from '../../src/store/wholeFiles/wholeFiles.ts';
import { keptNames } from './fakeConnection.ts';
import { fakeClock } from './fakeClock.ts';
import { keptInMemory } from './keptInMemory.ts';
import { mailStores } from './mailStores.ts';
import { journalInMemory } from './journalInMemory.ts';

const signal = new AbortController().signal;

/** Lists of the sample world with patches. */
export const patchLists: readonly ListRef[] = [
	{ owner: '~alice', name: 'lantern-devel' },
	{ owner: '~bob', name: 'wick-devel' },
];

/** Repositories of the sample world with contributors. */
const known: readonly RepositoryRef[] = [
	{ owner: '~alice', name: 'lantern' },
	{ owner: '~bob', name: 'wick' },
];

/** A parsed patchset of the sample world. */
export interface ReadPatchset {
	readonly ref: PatchsetRef;
	readonly subject: string;
	readonly wanted: WantedSeries;
	/** Mail numbers in order of patches. */
	readonly mailIds: readonly number[];
}

/** All patchsets of the sample world, parsed by the real stores. */
export async function readPatchsets(forge: Forge): Promise<readonly ReadPatchset[]> {
	const lists = new ListStore({ journal: journalInMemory(), api: forge.lists, me: forge.me, followed: keptNames() });
	const { reviews, texts } = mailStores({ lists, forge });
	const read: ReadPatchset[] = [];
	for (const list of patchLists) {
		for await (const page of forge.lists.patchsets(list, signal)) {
			for (const { id, prefix, subject } of page.items) {
				const ref = { list, id };
				const { series } = await reviews.read(ref, signal);
				const found = repositoryOfPatch({ list, prefix, chosen: undefined, clones: [], known });
				const repository = found.kind === 'found' ? found.ref : undefined;
				const parts = filesOfSeries(series, (mail) => texts.patchOf(mail));
				const mailIds = series.patches.map(({ mail }) => mail.id);
				read.push({ ref, subject, mailIds, wanted: { key: `${list.name} ${id}`, ...parts, repository } });
			}
		}
	}
	return read;
}

const noClones: ObjectsOfClone = { contents: async () => new Map() };

/** The application's view of an account's repositories, in a new window. */
export function wholeFilesOver(
	repositories: RepositoryStore,
	{
		me,
		clones = noClones,
		historyAt = () => undefined,
		disk,
	}: Pick<WholeFilesContext, 'me'> & Partial<Pick<WholeFilesContext, 'clones' | 'historyAt' | 'disk'>>,
): WholeFiles & Disposable {
	const made = wholeFiles({
		repositories,
		me,
		clones,
		historyAt,
		disk,
		shortIds: keptNames(),
		choices: repositoryChoices(keptInMemory()),
		clock: fakeClock(),
	});
	return { ...made, [Symbol.dispose]: () => made.dispose() };
}

/** All files of a patchset, completed as far as possible, with their paths. */
export async function filesOfPatchset(
	files: WholeFiles,
	wanted: WantedSeries,
): Promise<readonly (SeriesFile & { readonly path: string })[]> {
	const look = files.of(wanted).look('first');
	await look.prepare(
		wanted.patches.flatMap(({ diff }, patch) => diff.files.map((_, file) => ({ patch, file }))),
		signal,
	);
	const made: (SeriesFile & { readonly path: string })[] = [];
	for (const [patch, { diff }] of wanted.patches.entries()) {
		for (const [file, { newPath, oldPath }] of diff.files.entries()) {
			const each = await look.file({ patch, file }, signal);
			made.push(...(each ? [{ ...each, path: newPath ?? oldPath ?? '' }] : []));
		}
	}
	return made;
}
