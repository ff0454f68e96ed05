import { byCommit } from '../../answers/byCommit.ts';
import { pages, type RawPage } from '../../answers/pages.ts';
import { artifactStream, fileWish, homeFile, type FileLink } from '../../answers/streamedFile.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import type { RepositoryApi } from '../../port/forge.ts';
import { ForgeError, isForgeError } from '../../port/forgeError.ts';
import { factsInMemory } from '../../port/learntFacts.ts';
import type { Pages } from '../../port/page.ts';
import type { Commit, Repository, RepositoryRef, Blob } from '../../port/repository.ts';
import type { OwnerName } from '../../port/user.ts';
import type { WantedVisibility } from '../../port/visibility.ts';
import { isBinary } from 'patchmail/git/isBinary.ts';
import { isObjectId, provenBy, provenInSlices } from 'patchmail/git/objectId.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { listed, orNotFound, readBack } from '../transport/listed.ts';
import { brokeOff } from '../transport/smallerQuestions.ts';
import { bareName, byName } from '../transport/variables.ts';
import type { BlobBeginning } from './gitAnswers.ts';
import { type GitService, openRepositories } from './openRepository.ts';
import { graphqlReferences } from './graphqlReferences.ts';
import { headRevision, checkedSteps, keptRenames, namedRepositories } from './namedRepositories.ts';
import { objectsById, graphqlTrees } from './graphqlTrees.ts';
import {
	createRepository,
	deleteRepository,
	findFile,
	listLog,
	listRepositories,
	lookUp,
	readFile,
	readFiles,
	readHead,
	readRepository,
	updateRepository,
} from './gitDocuments.ts';

/** Larger files don't stay in memory. */
const limitBytes = 20 * 1024 * 1024;

export function graphqlRepositories(caller: GraphqlCaller, files: FileLink): RepositoryApi {
	const { ask, me } = caller;
	const named = namedRepositories(caller, keptRenames(files.learnt ?? factsInMemory(), files.clock));
	const visited = openRepositories(named);
	const service: GitService = { caller, named, openRepositories: visited, instance: files.instance, git: files.git };

	function owned(owner: OwnerName, search: string | undefined, signal: AbortSignal): Pages<Repository> {
		const known = new Set<number>();
		let count: number = listRepositories.mostAtOnce;

		function page(cursor: string | undefined, pageSignal: AbortSignal): Promise<RawPage<Repository> | undefined> {
			return ask(listRepositories, { owner: bareName(owner), cursor, count, search }, pageSignal);
		}

		/**
		 * If the server drops the connection on a later page, restart with a smaller page size: the old cursor keeps
		 * the old size.
		 */
		async function reachable(
			cursor: string | undefined,
			pageSignal: AbortSignal,
		): Promise<RawPage<Repository> | undefined> {
			try {
				return await page(cursor, pageSignal);
			} catch (error) {
				if (cursor === undefined || count === listRepositories.fewerAtOnce || !brokeOff(error)) {
					throw error;
				}
			}
			count = listRepositories.fewerAtOnce;
			const again = new Set<number>();
			let found = await page(undefined, pageSignal);
			// Skip pages of repositories that the list already yielded. Stop at a page that repeats, or the loop would
			// never end.
			while (
				found?.next !== undefined &&
				found.items.every(({ id }) => known.has(id)) &&
				found.items.some(({ id }) => !again.has(id))
			) {
				found.items.forEach(({ id }) => again.add(id));
				found = await page(found.next, pageSignal);
			}
			return found;
		}

		return listed(
			async (cursor, pageSignal) => {
				const found = await reachable(cursor, pageSignal);
				found?.items.forEach(({ id }) => known.add(id));
				return found;
			},
			({ id }) => id,
			signal,
		);
	}

	/**
	 * Completes a write. By id, another owner's repository counts as not found; a lookup by name distinguishes it from
	 * a deleted one.
	 */
	async function written<T>(ref: RepositoryRef, work: Promise<T | undefined>, signal: AbortSignal): Promise<T> {
		try {
			return orNotFound(await work);
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'notFound') {
				throw error;
			}
			const found = await ask(readRepository, byName(ref), signal);
			throw found === undefined ? error : new ForgeError({ kind: 'notAllowed' }, { cause: error });
		}
	}

	/**
	 * One page of the log. The next page starts at the last commit, whose parents reveal gaps: the server's cursor
	 * doesn't name a commit.
	 */
	async function logPage(
		ref: RepositoryRef,
		{ from, isFirst }: { readonly from: string | undefined; readonly isFirst: boolean },
		signal: AbortSignal,
	): Promise<RawPage<Commit>> {
		try {
			const page = orNotFound(
				await (isFirst ? visited.log(ref, from, signal) : named.ask(listLog, ref, { from }, signal)),
			);
			const { next, isPart, ...rest } = page;
			return { ...rest, next: next === undefined && isPart !== true ? undefined : page.items.at(-1)?.id };
		} catch (error) {
			const mayBeEmpty = from === undefined || from === headRevision;
			if (mayBeEmpty && isForgeError(error) && error.problem.kind === 'notFound' && (await isEmpty(ref, signal))) {
				return { items: [], next: undefined, total: undefined, isEnvelope: true };
			}
			throw error;
		}
	}

	/** The server reports an empty repository's log as an unknown revision. */
	async function isEmpty(ref: RepositoryRef, signal: AbortSignal): Promise<boolean> {
		const seen = visited.isEmpty(ref);
		if (seen !== undefined) {
			return seen;
		}
		const head = await named.ask(readHead, ref, {}, signal);
		return head !== undefined && head.branch === undefined;
	}

	return {
		repositories: (owner, signal) => owned(owner ?? me, undefined, signal),
		search: owned,
		nowCalled: (ref) => named.now(ref),
		repository: async (ref, signal) => orNotFound(await named.ask(readRepository, ref, {}, signal)),
		async create({ name, description, visibility }, signal) {
			const variables = { name, description, visibility: wireVisibility(visibility ?? 'public') };
			orNotFound(await ask(createRepository, variables, signal));
			named.given({ owner: me, name });
			return readBack(ask(readRepository, byName({ owner: me, name }), signal));
		},
		async update(ref, { name, description, visibility }, signal) {
			const id = await named.id(ref, signal);
			const input = {
				name,
				description: description === '' ? null : description,
				visibility: visibility && wireVisibility(visibility),
			};
			await written(ref, ask(updateRepository, { id, input }, signal), signal);
			const now = { owner: ref.owner, name: name ?? ref.name };
			named.given(now);
			return readBack(ask(readRepository, byName(now), signal));
		},
		async remove(ref, signal) {
			const id = await named.id(ref, signal);
			await written(ref, ask(deleteRepository, { id }, signal), signal);
		},
		...graphqlReferences(service),
		log: (ref, from, signal) =>
			pages(
				{
					fetch: (start, pageSignal) => logPage(ref, { from: start ?? from, isFirst: start === undefined }, pageSignal),
					key: ({ id }) => id,
					way: byCommit,
				},
				signal,
			),
		...graphqlTrees(service),
		...graphqlFiles(service, files),
		async defaultBranch(ref, signal) {
			const { branch } = orNotFound(await visited.head(ref, signal));
			if (branch === undefined) {
				return undefined;
			}
			const short = /^refs\/heads\/(.+)$/.exec(branch)?.[1];
			if (short === undefined) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'HEAD', why: 'it names no branch' });
			}
			return short;
		},
		async setDefaultBranch(ref, branch, signal) {
			const id = await named.id(ref, signal);
			try {
				await written(ref, ask(updateRepository, { id, input: { HEAD: branch } }, signal), signal);
			} finally {
				// Even after a lost response, the next visit must read the branch again.
				visited.moved(ref);
			}
		},
		lookup: async (ref, revision, signal) => orNotFound(await named.ask(lookUp, ref, { revision }, signal)).id,
	};
}

function wireVisibility(visibility: WantedVisibility): string {
	return visibility.toUpperCase();
}

/** A file and its repository's id. */
interface FoundFile {
	readonly repositoryId: number;
	readonly file: BlobBeginning;
}

/**
 * Reads files over GraphQL. The response contains text, but silently cuts long files (docs/protocol.md#graphql-files).
 * If the text doesn't match the id, a download follows.
 */
function graphqlFiles(
	{ caller, named }: GitService,
	files: FileLink,
): Pick<RepositoryApi, 'blob' | 'blobById'> & Required<Pick<RepositoryApi, 'blobStream' | 'artifact'>> {
	async function whole({ repositoryId, file }: FoundFile, signal: AbortSignal): Promise<Blob> {
		const { id, text } = file;
		const told = text === undefined ? undefined : new TextEncoder().encode(text);
		if (told && provenBy(id, 'blob', told) === 'same') {
			return { bytes: told, isBinary: isBinary(told) };
		}
		const path = bytesAt(repositoryId, id);
		const bytes = await caller.get({ area: 'git', scope: 'data:read', path, limitBytes }, signal);
		if ((await provenInSlices({ id, kind: 'blob', bytes }, nextTurn, signal)) === 'other') {
			throw new ForgeError({
				kind: 'notUnderstood',
				where: 'content',
				why: 'it is another file than the one asked for',
			});
		}
		return { bytes, isBinary: isBinary(bytes) };
	}

	const byId = objectsById<FoundFile>(async (ref, ids, signal) => {
		const found = await named.ask(readFiles, ref, { ids }, signal);
		return new Map(
			found?.objects.flatMap((file) => (file ? [[file.id, { repositoryId: found.id, file }] as const] : [])),
		);
	});

	return {
		async blob(ref, { ref: revision, path }, signal) {
			const variables = { revision, path: checkedSteps(path) };
			const found = orNotFound(await named.ask(readFile, ref, variables, signal));
			return whole({ repositoryId: found.id, file: orNotFound(found.path?.object) }, signal);
		},
		blobById: async ({ ref, id }, signal) => whole(orNotFound(await byId(ref)(id, signal)), signal),
		async *blobStream(ref, { ref: revision, path }, most, signal) {
			const variables = { revision, path: checkedSteps(path) };
			const found = orNotFound(await named.ask(findFile, ref, variables, signal));
			const bytes = bytesAt(found.id, orNotFound(found.path?.object).id);
			yield* homeFile(files, fileWish, bytes, most, signal);
		},
		artifact: artifactStream(files),
	};
}

/** Download path of a file. Responses contain a URL too, but it is untrusted. */
function bytesAt(repositoryId: number, id: string): string {
	if (!isObjectId(id)) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'content', why: 'the id of the file is none' });
	}
	return `/query/blob/${repositoryId}/${id}`;
}
