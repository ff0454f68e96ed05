import type { Answer, ApiCall, Route } from '../shared/area.ts';
import { api, bothForms, param } from '../shared/area.ts';
import { crash, invalid, json, notFound } from '../shared/answers.ts';
import type { Dialect } from '../shared/dialect.ts';
import { blobAnswer } from './repositoryBlobs.ts';
import { firstCommits } from '../git/commitLog.ts';
import { follow, locate, peel, treeOf, type Located } from '../git/revisions.ts';
import { modes } from '../git/gitObjects.ts';
import type { RepositoryRoom } from './repositoryRoom.ts';
import { findRepository } from './repositoryAccess.ts';
import type { Repository } from './repositoryStore.ts';

type Handler = (room: RepositoryRoom, call: ApiCall, repository: Repository) => Promise<Answer>;

/** References, logs, trees and blobs (docs/protocol.md#repositories). */
export function repositoryDataRoutes(room: RepositoryRoom): readonly Route[] {
	const { context, store } = room;
	const run =
		(handle: Handler) =>
		async (call: ApiCall): Promise<Answer> =>
			await handle(room, call, findRepository(context, store, call));
	const forms = (rest: string, handle: Handler): readonly Route[] =>
		bothForms('GET', [`/api/~:username/repos/:name/${rest}`, `/api/repos/:name/${rest}`], 'data:read', run(handle));
	return [
		...forms('refs', listRefs),
		...forms('log', getLog),
		...forms('log/:rest*', getLog),
		...forms('tree', getTree),
		...forms('tree/:rest*', getTree),
		...blobRoutes(context.dialect.explicitBlobMissing, run),
	];
}

type Run = (handle: Handler) => (call: ApiCall) => Promise<Answer>;

/** Servers have the explicit form of `blob/:id` at another path by mistake (docs/protocol.md#files-by-id). */
function blobRoutes(explicitMissing: boolean, run: Run): readonly Route[] {
	const explicit = explicitMissing ? getBlobByPath : getBlob;
	return [
		api('GET', '/api/repos/:name/blob/:rest*', 'data:read', run(getBlob)),
		api('GET', '/api/~:username/repos/:name/blob/:rest*', 'data:read', run(explicit)),
		...(explicitMissing ? [api('GET', '/api/~:username/blob/:name/blob/:rest*', 'data:read', run(getBlob))] : []),
	];
}

const listRefs: Handler = async ({ context, shapes }, _call, repository) => {
	const refs = await repository.source.refs();
	const results = refs.map((ref) => shapes.reference(repository, ref));
	return context.dialect.envelopes
		? json(200, { next: null, results, total: refs.length, results_per_page: refs.length })
		: json(200, results);
};

const pageSize = 50;

const getLog: Handler = async ({ context: { dialect }, shapes }, call, repository) => {
	const { source } = repository;
	if ((await source.refs()).length === 0) {
		return json(200, dialect.envelopes ? { next: null, results: [], total: 0, results_per_page: pageSize } : []);
	}
	const from = await peel(source, await locateRest(repository, call));
	if (from.type !== 'commit') {
		throw crash(dialect);
	}
	const startId = await readStart(dialect, repository, call);
	// The servers observed walk on from the start itself, and so lose the branches that lie beside it.
	const commits = dialect.logRepeatsLast
		? await firstCommits(source, startId ?? from.id, pageSize + 1)
		: await firstCommits(source, from.id, pageSize, startId);
	const results = await Promise.all(commits.map(async (commit) => await shapes.commit(source, commit)));
	const next = commits[pageSize]?.id ?? null;
	return json(200, dialect.envelopes ? { next, results, total: -1, results_per_page: pageSize } : results);
};

/** The commit that a page begins with; undefined for the first page. */
async function readStart(dialect: Dialect, { source }: Repository, call: ApiCall): Promise<string | undefined> {
	const start = call.query.get('start') ?? '';
	if (start === '') {
		return undefined;
	}
	const found = await source.resolve(start);
	const target = found.kind === 'object' ? await peel(source, found) : undefined;
	if (target?.type !== 'commit') {
		throw crash(dialect, invalid('start should be the id of a commit', 'start'));
	}
	return target.id;
}

const getTree: Handler = async ({ shapes }, call, repository) => {
	const located = await locateRest(repository, call);
	const tree = await treeOf(repository.source, located);
	const entry = tree === undefined ? undefined : await follow(repository.source, tree, located.path);
	if (entry?.mode !== modes.tree) {
		throw notFound();
	}
	const body = await shapes.tree(repository, entry.id);
	return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
};

const getBlob: Handler = async ({ context }, call, repository) => {
	const { dialect } = context;
	const { source } = repository;
	const located = await locateRest(repository, call);
	if (located.path.length === 0) {
		return await wholeBlob(dialect, repository, located);
	}
	if (located.type === 'tree') {
		throw crash(dialect);
	}
	const tree = await treeOf(source, located);
	const entry = tree === undefined ? undefined : await follow(source, tree, located.path);
	if (entry === undefined || entry.mode === modes.tree || entry.mode === modes.submodule) {
		throw notFound();
	}
	return blobAnswer(dialect, (await source.read(entry.id)).bytes, located.path.at(-1) ?? '');
};

const getBlobByPath: Handler = async (room, call, repository) => {
	if (restOf(call).length === 1) {
		throw notFound();
	}
	return await getBlob(room, call, repository);
};

async function wholeBlob(dialect: Dialect, { source }: Repository, { id, type }: Located): Promise<Answer> {
	if (type === 'tree') {
		throw crash(dialect);
	}
	if (type !== 'blob') {
		throw notFound();
	}
	return blobAnswer(dialect, (await source.read(id)).bytes, id);
}

/** Revision and path from the rest of the path; the default branch if empty. */
async function locateRest({ source }: Repository, call: ApiCall): Promise<Located> {
	const parts = restOf(call);
	const located = await locate(source, parts.length === 0 ? ['HEAD'] : parts);
	if (located === undefined) {
		throw notFound();
	}
	return located;
}

function restOf(call: ApiCall): readonly string[] {
	return call.params['rest'] === undefined ? [] : param(call, 'rest').split('/');
}
