import '../support/vscodeStub.ts';
import type { Tree } from 'sourcehut/port/repository.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import { repositoryConnection, repositoryConnections } from '../support/fakeRepositories.ts';
import { quietProblems } from '../support/fakeTicketsParts.ts';
import { bigRepository, many } from './bigRepository.ts';
import { countFigure, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';
import { fake } from '../support/fake.ts';
import type { RepositoriesContext } from '../../src/features/repositories/parts/repositoriesContext.ts';

const sizes = {
	full: { files: 20_000, latencyMs: 10, rounds: 42 },
	smallest: { files: 2000, latencyMs: 0, rounds: 1 },
} as const;

/** Opens folders and files through the editor's file system. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { files, latencyMs, rounds } = sizes[size];
	const { repositoryFiles } = await import('../../src/features/repositories/files/repositoryFiles.ts');
	const { uriOfPlace } = await import('../../src/features/repositories/subjects/place.ts');
	await using world = await bigRepository(files, latencyMs);
	const signal = new AbortController().signal;
	const stores = new DisposableStack();
	const connectionKey = 'alice.sample';
	const uri = (path: string): ReturnType<typeof uriOfPlace> =>
		uriOfPlace({ kind: 'entry', connectionKey, ref: many, at: { ref: 'master', path } });

	function openProvider(): { readonly store: RepositoryStore; readonly provider: ReturnType<typeof repositoryFiles> } {
		const store = world.openStore();
		const provider = repositoryFiles(
			fake<RepositoriesContext>({
				connections: repositoryConnections(repositoryConnection(store)),
				ready: () => Promise.resolve(),
				problems: quietProblems,
				tooLarge: () => undefined,
			}),
		);
		stores.defer(() => [provider, store].forEach((each) => each.dispose()));
		return { store, provider };
	}

	/** Size and content at once, as the editor asks. */
	async function openFile(provider: ReturnType<typeof repositoryFiles>, path: string): Promise<void> {
		await Promise.all([provider.stat(uri(path)), provider.readFile(uri(path))]);
	}

	try {
		const { store, provider } = openProvider();
		const root = await store.folders.folder(many, { ref: 'master', path: '' }, signal);
		const parents = await foldersWithFolders(store, root);
		const folders = parents.flatMap(({ path, tree }) =>
			tree.entries.filter(({ type }) => type === 'tree').map(({ id, name }) => ({ id, path: `${path}${name}` })),
		);
		const fresh = folders.filter(({ path }) => !parents.some((parent) => parent.path === `${path}/`));
		const plain = parents.flatMap(({ path, tree }) =>
			tree.entries.filter(({ mode }) => mode === 0o100644).map(({ id, name }) => ({ id, path: `${path}${name}` })),
		);
		const contents = [...new Map(plain.map((file) => [file.id, file])).values()];
		const next = <T>(all: readonly T[], of: { at: number }): T => {
			const found = all[of.at++];
			if (found === undefined) {
				throw new Error('There is nothing left to open');
			}
			return found;
		};
		const [folderAt, fileAt] = [{ at: 0 }, { at: 0 }];
		const folderRequests = await world.requestsOf(async () => {
			await provider.readDirectory(uri(next(fresh, folderAt).path));
		});
		const fileRequests = await world.requestsOf(() => openFile(provider, next(contents, fileAt).path));
		const [deepest] = contents.toSorted((a, b) => b.path.split('/').length - a.path.split('/').length);
		const deepPath = deepest?.path ?? '';
		const deepRequests = await world.requestsOf(() => openFile(openProvider().provider, deepPath));
		const [someFolder, someFile] = [fresh[0], contents[0]];
		const knownRequests = await world.requestsOf(async () => {
			await provider.readDirectory(uri(someFolder?.path ?? ''));
			await openFile(provider, someFile?.path ?? '');
		});
		const folder = await compare(
			{ name: 'folder', run: async () => void (await provider.readDirectory(uri(next(fresh, folderAt).path))) },
			{ name: 'one bare request', run: () => world.bare(`tree/${next(fresh, folderAt).id}`) },
			rounds,
		);
		const file = await compare(
			{ name: 'file', run: () => openFile(provider, next(contents, fileAt).path) },
			{ name: 'one bare request', run: () => world.bare(`blob/${next(contents, fileAt).id}`) },
			rounds,
		);
		const at = `to one bare request at ${latencyMs} ms latency`;
		const deep = `Requests for a file ${deepPath.split('/').length - 1} folders deep that is opened before anything else of its repository`;
		return [
			ratioFigure(`Folder whose parent is known, ${at}`, 1.2, folder),
			ratioFigure(`File whose folder is known, ${at}`, 1.2, file),
			countFigure('Requests for that folder', 1, folderRequests, `${knownRequests} once it and the file are known`),
			countFigure('Requests for that file, its size and its content', 1, fileRequests, 'both are asked for at once'),
			countFigure(deep, 3, deepRequests, 'where the reference stands, the folder by its path, the file by its id'),
		];
	} finally {
		stores.dispose();
	}
}

interface KnownFolder {
	/** With its slash; empty for the root. */
	readonly path: string;
	readonly tree: Tree;
}

/** Reads the folders of the first levels; those below them stay unread. */
async function foldersWithFolders(store: RepositoryStore, root: Tree): Promise<readonly KnownFolder[]> {
	const signal = new AbortController().signal;
	const known: KnownFolder[] = [{ path: '', tree: root }];
	for (let at = 0; at < known.length && known.length < 160; at += 1) {
		const { path, tree } = known[at] ?? { path: '', tree: root };
		for (const { name } of tree.entries.filter(({ type }) => type === 'tree')) {
			const below = await store.folders.folder(many, { ref: 'master', path: `${path}${name}` }, signal);
			known.push({ path: `${path}${name}/`, tree: below });
		}
	}
	return known;
}
