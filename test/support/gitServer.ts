import { createHash } from 'node:crypto';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { LearntFacts } from 'sourcehut/port/learntFacts.ts';
import type { GitReads } from 'sourcehut/port/gitReads.ts';
import type { Reference, Tree, TreeEntry } from 'sourcehut/port/repository.ts';
import { treeBytes } from 'patchmail/git/treeBytes.ts';
import { graphqlRepositories } from 'sourcehut/graphql/git/graphqlRepositories.ts';
import { graphqlServer, type Answered, type AskedQuery, type GraphqlServer } from './graphqlServer.ts';
import { createCursors } from 'sample-forge/graphql/cursors.ts';
import type { Context } from 'sample-forge/shared/area.ts';
import { createState } from 'sample-forge/shared/state.ts';
import { standFor } from './standFor.ts';

/** Contents of a repository and of routes outside the API. */
export interface GitWorld {
	readonly references?: readonly Reference[];
	/** The only folder, at the top and further down. */
	readonly tree?: Tree;
	readonly git?: GitReads;
	/** Facts from an earlier window. */
	readonly learnt?: LearntFacts;
	readonly clock?: Pick<Clock, 'nowMs'>;
	/** Answers before all other handlers. */
	readonly answer?: (asked: AskedQuery) => Answered | undefined;
	/** Runs before each answer. */
	readonly beforeAnswer?: (asked: AskedQuery) => Promise<void>;
	/** Files below `/query`, by path. */
	readonly files?: (path: string) => string | undefined;
}

/** A folder with its git id; entries are in git's order. */
export function madeFolder(entries: readonly TreeEntry[]): Tree {
	const key = ({ name, type }: TreeEntry): Buffer => Buffer.from(type === 'tree' ? `${name}/` : name);
	const inOrder = entries.toSorted((one, other) => Buffer.compare(key(one), key(other)));
	const bytes = treeBytes({ entries: inOrder }) ?? new Uint8Array();
	const id = createHash('sha1').update(`tree ${bytes.length}\0`).update(bytes).digest('hex');
	return { id, shortId: id.slice(0, 7), entries: inOrder };
}

/** Git reads for everything in a world. */
export function ableGit({ references = [], tree }: GitWorld): GitReads {
	return {
		references: () => Promise.resolve(references),
		tree: (_at, id) => Promise.resolve(tree?.id === id ? tree : undefined),
	};
}

/** A repository service and its client. */
export interface GitServer {
	readonly api: RepositoryApi;
	readonly server: GraphqlServer;
}

/** The client of a repository service that pages names as observed services do. */
export function gitServer(world: GitWorld): GitServer {
	const { references = [], tree, files, beforeAnswer } = world;
	const cursors = createCursors(standFor<Context>({ nowMs: () => 0, state: createState() }), 'git');
	const head = { name: 'HEAD', target: 'refs/heads/main' };
	const showReference = ({ name, target, artifacts = [], hasMoreArtifacts }: Reference): object => ({
		name,
		target,
		artifacts: {
			cursor: hasMoreArtifacts ? 'sealed' : null,
			results: artifacts.map(({ filename, createdMs = 0, sizeBytes, checksum = '', url }) => ({
				filename,
				created: new Date(createdMs).toISOString(),
				size: sizeBytes,
				checksum,
				url,
			})),
		},
	});
	const showTree = (cursor: string | undefined): object | null =>
		tree
			? {
					id: tree.id,
					shortId: tree.shortId,
					entries: cursors.pageOfNames(
						tree.entries,
						({ id, name, mode }) => ({ id, name, mode }),
						cursor === undefined ? {} : { cursor },
					),
				}
			: null;

	function answer(asked: AskedQuery): Answered {
		const { name, variables } = asked;
		const cursor = typeof variables['cursor'] === 'string' ? variables['cursor'] : undefined;
		const own = world.answer?.(asked);
		if (own) {
			return own;
		}
		switch (name) {
			case 'Head':
				return inRepository({ HEAD: { name: head.target } });
			case 'References':
				return inRepository({
					references: cursors.pageOfNames([head, ...references], showReference, cursor === undefined ? {} : { cursor }),
				});
			case 'Targets':
				return inRepository({
					references: cursors.pageOfNames(
						[head, ...references],
						({ name: called, target }) => ({ name: called, target }),
						cursor === undefined ? {} : { cursor },
					),
				});
			case 'ReferenceByName': {
				const found = references.find((each) => each.name === variables['reference']);
				return inRepository({ id: 1, reference: found ? showReference(found) : null });
			}
			case 'RootTree':
				return inRepository({ revparse_single: { tree: showTree(cursor) } });
			case 'Folder':
				return inRepository({ path: { object: showTree(cursor) } });
			case 'Trees':
			case 'TreePage':
				return inRepository({ objects: [showTree(cursor)] });
			default:
				throw new Error(`Nobody expected ${name}`);
		}
	}

	const answering = beforeAnswer
		? async (asked: AskedQuery): Promise<Answered> => {
				await beforeAnswer(asked);
				return answer(asked);
			}
		: answer;
	const server = graphqlServer(answering, files ? { files } : {});
	const api = graphqlRepositories(server.caller, {
		...server.files,
		git: world.git,
		learnt: world.learnt,
		clock: { ...server.clock, ...world.clock },
	});
	return { api, server };
}

/** Data of a repository. */
export function inRepository(repository: object | null): Answered {
	return { data: { user: { repository } } };
}
