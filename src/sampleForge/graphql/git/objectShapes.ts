import { createHash } from 'node:crypto';
import { firstCommits } from '../../git/commitLog.ts';
import { modes, readTag, type Commit, type GitObject, type Signed, type TreeEntry } from '../../git/gitObjects.ts';
import { follow, peel } from '../../git/revisions.ts';
import type { Artifact, Repository } from '../../repositories/repositoryStore.ts';
import type { PageWish } from '../cursors.ts';
import { FieldError } from '../engine.ts';
import { time } from '../scalars.ts';
import type { GitAsking } from './gitAsking.ts';
import { pageOfNames, pageSize } from './placeCursors.ts';

/** Servers cut text after this many bytes; only `size` reveals it. */
const mostTextBytes = 131_072;

/** Commits from a revision or from the cursor. */
export async function showLog(
	asking: GitAsking,
	repository: Repository,
	{ from, cursor }: PageWish & { readonly from?: string | null },
): Promise<object> {
	const place = asking.cursors.read({ cursor: cursor ?? null });
	const start = await commitOf(repository, place?.next ?? from ?? 'HEAD');
	const commits = await firstCommits(repository.source, start.id, pageSize + 1);
	const following = commits[pageSize];
	return {
		results: commits.slice(0, pageSize).map((commit) => showCommit(asking, repository, commit)),
		cursor: following === undefined ? null : asking.cursors.write({ count: pageSize, next: following.id }),
	};
}

/** The commit of a revision, also for a tag or a commit's tree. */
export async function commitOf({ source }: Repository, revision: string): Promise<Commit> {
	const found = await source.resolve(revision.replace(/\^\{tree\}$/, ''));
	const target = found.kind === 'object' ? await peel(source, found) : undefined;
	if (target?.type !== 'commit') {
		throw new FieldError('reference not found');
	}
	return await source.commit(target.id);
}

/** The tree entry at a path of a revision; null for a missing path and for the root. */
export async function showPath(
	asking: GitAsking,
	repository: Repository,
	{ revspec, path }: { readonly revspec: string; readonly path: string },
): Promise<object | null> {
	const { tree } = await commitOf(repository, revspec);
	return await showEntryAt(asking, repository, tree, path);
}

/** An object by id. Zeros fill a short id. */
export async function showObject(asking: GitAsking, repository: Repository, wanted: string): Promise<object> {
	const id = wanted.padEnd(40, '0');
	const found = /^[0-9a-f]{40}$/.test(id) ? await repository.source.resolve(id) : undefined;
	if (found?.kind !== 'object' || found.id !== id) {
		throw new FieldError(`lookup object ${id}: object not found`);
	}
	const object = await repository.source.read(id);
	switch (object.type) {
		case 'commit': {
			return showCommit(asking, repository, await repository.source.commit(id));
		}
		case 'tree': {
			return showTree(asking, repository, id);
		}
		case 'blob': {
			return showBlob(asking, repository, id, object);
		}
		case 'tag': {
			return showTag(asking, repository, id, object);
		}
	}
}

function showCommit(asking: GitAsking, repository: Repository, commit: Commit): object {
	const { source, folder } = repository;
	const { git, root } = asking.room;
	return {
		...head('Commit', 'COMMIT', repository, commit.id),
		author: showSigned(commit.author),
		committer: showSigned(commit.committer),
		message: commit.message,
		tree: () => showTree(asking, repository, commit.tree),
		parents: async () =>
			await Promise.all(commit.parents.map(async (id) => showCommit(asking, repository, await source.commit(id)))),
		// Servers answer the reverse diff (docs/protocol.md#graphql-repositories).
		diff: async () =>
			(
				await git.run([
					'--git-dir',
					`${root}/${folder}`,
					'diff-tree',
					'-p',
					'-R',
					'--root',
					'--no-commit-id',
					commit.id,
				])
			).toString('utf8'),
		trailers: commit.message
			.trimEnd()
			.split('\n\n')
			.slice(1)
			.slice(-1)
			.flatMap((paragraph) => [...paragraph.matchAll(/^([A-Za-z-]+): (.+)$/gm)])
			.map(([, name, value]) => ({ name, value })),
	};
}

function showTree(asking: GitAsking, repository: Repository, id: string): object {
	const { source } = repository;
	return {
		...head('Tree', 'TREE', repository, id),
		entries: async (wish: PageWish) => {
			const rows = await source.tree(id);
			return pageOfNames(asking.cursors, { rows, show: (row) => showEntry(asking, repository, row) }, wish);
		},
		entry: async ({ path }: { readonly path?: string | null }) => await showEntryAt(asking, repository, id, path ?? ''),
	};
}

async function showEntryAt(
	asking: GitAsking,
	repository: Repository,
	tree: string,
	path: string,
): Promise<object | null> {
	const steps = path.split('/');
	const entry = steps.includes('') ? undefined : await follow(repository.source, tree, steps);
	return entry === undefined ? null : showEntry(asking, repository, { ...entry, name: steps.at(-1) ?? '' });
}

function showEntry(asking: GitAsking, repository: Repository, { id, name, mode }: TreeEntry): object {
	return {
		id,
		name,
		mode,
		object() {
			// A submodule's commit is in another repository.
			if (mode === modes.submodule) {
				throw new FieldError('object not found');
			}
			return showObject(asking, repository, id);
		},
	};
}

function showBlob(asking: GitAsking, repository: Repository, id: string, { bytes }: GitObject): object {
	const isText = isUtf8(bytes);
	return {
		...head(isText ? 'TextBlob' : 'BinaryBlob', 'BLOB', repository, id),
		raw: bytes.toString('base64'),
		size: bytes.length,
		content: `${asking.room.context.origins.git}/query/blob/${repository.id}/${id}`,
		...(isText
			? { text: bytes.subarray(0, mostTextBytes).toString('utf8') }
			: { base64: bytes.subarray(0, mostTextBytes).toString('base64') }),
	};
}

function showTag(asking: GitAsking, repository: Repository, id: string, { bytes }: GitObject): object {
	const { target, name, message } = readTag(bytes);
	const [, by = '', email = '', seconds = '0'] = /^tagger (.*) <([^>]*)> (\d+)/m.exec(bytes.toString('utf8')) ?? [];
	return {
		...head('Tag', 'TAG', repository, id),
		target: () => showObject(asking, repository, target),
		name,
		tagger: { name: by, email, time: time(Number(seconds) * 1000) },
		message,
	};
}

function head(typename: string, type: string, { source }: Repository, id: string): object {
	return { __typename: typename, type, id, shortId: () => source.shortId(id) };
}

function showSigned({ name, email, timeS }: Signed): object {
	return { name, email, time: time(timeS * 1000) };
}

function isUtf8(bytes: Uint8Array): boolean {
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}

/** References, `HEAD` first. */
export async function referencesOf({
	source,
}: Repository): Promise<readonly { readonly name: string; readonly target: string }[]> {
	return [{ name: 'HEAD', target: await source.head() }, ...(await source.refs())];
}

export function showReference(
	asking: GitAsking,
	repository: Repository,
	{ name, target }: { readonly name: string; readonly target: string },
): object {
	const uploaded = repository.artifacts.filter(({ ref }) => ref === name);
	return {
		name,
		target,
		follow: async () => (/^[0-9a-f]{40}$/.test(target) ? await showObject(asking, repository, target) : null),
		artifact: ({ filename }: { readonly filename: string }) => {
			const found = uploaded.find((each) => each.filename === filename);
			return found === undefined ? null : showArtifact(asking, repository, found);
		},
		artifacts: async () => {
			// docs/protocol.md#head-that-leads-nowhere
			const found = await repository.source.resolve(name === 'HEAD' ? target : name);
			if (found.kind !== 'object') {
				throw new FieldError('reference not found');
			}
			// Only annotated tags have files; otherwise servers repeat the first cursor.
			const isAnnotated = found.type === 'tag' || uploaded.length > 0;
			return {
				results: uploaded.map((each) => showArtifact(asking, repository, each)),
				cursor: isAnnotated ? null : asking.cursors.write({ count: pageSize, next: '' }),
			};
		},
	};
}

export function checksumOf(artifact: Artifact): string {
	return `sha256:${createHash('sha256').update(artifact.content).digest('hex')}`;
}

function showArtifact({ room, age }: GitAsking, repository: Repository, artifact: Artifact): object {
	const { owner, name } = repository;
	const { ref, filename, createdMs, content } = artifact;
	const checksum = checksumOf(artifact);
	const path =
		age === '2026'
			? `/query/artifact/${checksum}/${encodeURIComponent(filename)}`
			: `/~${owner.name}/${name}/refs/${encodeURIComponent(ref.replace('refs/tags/', ''))}/${encodeURIComponent(filename)}`;
	return {
		id: repository.id * 1000 + repository.artifacts.indexOf(artifact) + 1,
		created: time(createdMs),
		filename,
		checksum,
		size: content.length,
		url: `${room.context.origins.git}${path}`,
	};
}
