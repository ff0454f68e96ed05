import type { RawPage } from '../../answers/pages.ts';
import type { RepositoryApi } from '../../port/forge.ts';
import { isForgeError } from '../../port/forgeError.ts';
import { isAway } from '../../port/isAway.ts';
import type { Pages } from '../../port/page.ts';
import type { Reference, RepositoryRef } from '../../port/repository.ts';
import { mostTogether } from '../transport/gatheredQuestions.ts';
import { listed, orNotFound } from '../transport/listed.ts';
import type { GitService } from './openRepository.ts';
import { headRevision } from './namedRepositories.ts';
import { listReferences, listTargets, readReference } from './gitDocuments.ts';

/** Concurrent requests for single references. */
const mostUnderWay = 4;
/** Beyond this number, release files count as unread. */
const mostAlone = 100;

/**
 * Reads references over GraphQL. Each page boundary loses some (docs/protocol.md#graphql-pages-of-names). For more than
 * one page, Git lists the references and the API adds the release files. Without Git, the list is paged and never
 * counts as complete.
 */
export function graphqlReferences({
	named,
	openRepositories: visits,
	instance,
	git,
}: GitService): Pick<RepositoryApi, 'references'> & Required<Pick<RepositoryApi, 'targets' | 'referencesTogether'>> {
	/** Release files by reference name: first from later pages, then single requests for names lost between pages. */
	async function filesOf(
		ref: RepositoryRef,
		wanted: ReadonlySet<string>,
		first: RawPage<Reference>,
		signal: AbortSignal,
	): Promise<ReadonlyMap<string, Reference>> {
		const told = new Map<string, Reference>();
		const take = (each: Reference | undefined): void => {
			if (each && each.areArtifactsUnread !== true) {
				told.set(each.name, each);
			}
		};
		const open = (): readonly string[] => [...wanted].filter((name) => !told.has(name));
		first.items.forEach(take);
		const isToldByPages = first.items.some(({ areArtifactsUnread }) => areArtifactsUnread !== true);
		let isOver = false;
		/**
		 * The names are already complete. A failure hides only the files, and only an unreachable forge stops the other
		 * requests.
		 */
		const tried = async <T>(work: Promise<T>): Promise<T | undefined> => {
			try {
				return await work;
			} catch (error) {
				if (!isForgeError(error)) {
					throw error;
				}
				isOver ||= isAway(error);
				return undefined;
			}
		};
		for (let cursor = isToldByPages ? first.next : undefined; cursor !== undefined && open().length > 0;) {
			const before = told.size;
			const next = await tried(named.ask(listReferences, ref, { cursor }, signal));
			next?.items.forEach(take);
			cursor = told.size > before ? next?.next : undefined;
		}
		const alone = (isOver ? [] : open()).slice(0, mostAlone).values();
		await Promise.all(
			Array.from({ length: mostUnderWay }, async () => {
				for (const reference of alone) {
					if (isOver) {
						return;
					}
					take(await tried(named.ask(readReference, ref, { reference }, signal)));
				}
			}),
		);
		return told;
	}

	/** The first page, and all references if Git or the page has them. */
	async function beginning(ref: RepositoryRef, signal: AbortSignal): Promise<Beginning> {
		const visit = visits.references(ref);
		try {
			const first = orNotFound(await named.ask(listReferences, ref, {}, signal));
			visit.came(first.items, isAll(first) ? first.items : undefined);
			const listed = await allOf(ref, first, signal);
			visit.came(first.items, listed);
			if (listed === undefined) {
				return { first, all: undefined };
			}
			// Only tags have release files.
			const tags = new Set(listed.flatMap(({ name }) => (isTag(name) ? [name] : [])));
			const files = await filesOf(ref, tags, first, signal);
			// Targets come only from Git, because Git read all references at one moment.
			const all = listed.map(({ name, target }): Reference => {
				const withFiles = files.get(name);
				return withFiles
					? { ...withFiles, target }
					: { name, target, ...(isTag(name) ? { areArtifactsUnread: true } : {}) };
			});
			return { first, all };
		} finally {
			visit.over();
		}
	}

	async function allOf(
		ref: RepositoryRef,
		first: RawPage<Reference>,
		signal: AbortSignal,
	): Promise<readonly Reference[] | undefined> {
		return isAll(first) ? first.items : await git?.references({ instance, ref: named.now(ref) }, signal);
	}

	async function targets(ref: RepositoryRef, signal: AbortSignal): Promise<Beginning> {
		const first = orNotFound(await named.ask(listTargets, ref, {}, signal));
		return { first, all: await allOf(ref, first, signal) };
	}

	/** The default branch, if it is on a later page. A failure costs only its early place. */
	async function headBeyond(
		ref: RepositoryRef,
		first: RawPage<Reference>,
		signal: AbortSignal,
	): Promise<readonly Reference[]> {
		const branch = first.items.find(({ name }) => name === headRevision)?.target;
		if (branch?.startsWith('refs/') !== true || first.items.some(({ name }) => name === branch)) {
			return [];
		}
		try {
			const head = await named.ask(readReference, ref, { reference: branch }, signal);
			return head ? [head] : [];
		} catch (error) {
			if (!isForgeError(error)) {
				throw error;
			}
			return [];
		}
	}

	async function* read(ref: RepositoryRef, isBare: boolean, signal: AbortSignal): Pages<Reference> {
		const { first, all } = await (isBare ? targets(ref, signal) : beginning(ref, signal));
		if (all !== undefined) {
			const items = [...new Map(all.map((each) => [each.name, each])).values()].flatMap(shown);
			yield { items, seen: items.length, completeness: { kind: 'complete' } };
			return;
		}
		const pages = listed(
			async (cursor, pageSignal) =>
				cursor === undefined ? first : named.ask(isBare ? listTargets : listReferences, ref, { cursor }, pageSignal),
			({ name }) => name,
			signal,
			listReferences.isLossy,
		);
		let early = await headBeyond(ref, first, signal);
		const isEarly = new Set(early.map(({ name }) => name));
		let left = -early.length;
		for await (const each of pages) {
			const items = each.items.filter(({ name }) => !isEarly.has(name)).flatMap(shown);
			left += each.items.length - items.length;
			const { completeness, seen } = each;
			yield { items: [...early.flatMap(shown), ...items], seen: seen - left, completeness };
			early = [];
		}
	}

	return {
		references: (ref, signal) => read(ref, false, signal),
		targets: (ref, signal) => read(ref, true, signal),
		referencesTogether: mostTogether,
	};
}

interface Beginning {
	readonly first: RawPage<Reference>;
	/** `undefined` if the list may be incomplete. */
	readonly all: readonly Reference[] | undefined;
}

function isAll({ next, isPart }: RawPage<Reference>): boolean {
	return next === undefined && isPart !== true;
}

function isTag(name: string): boolean {
	return name.startsWith('refs/tags/');
}

/** Drops `HEAD`, because it is no reference. Only tags have release files that could be unread. */
function shown(reference: Reference): readonly Reference[] {
	const { areArtifactsUnread, ...rest } = reference;
	return reference.name.startsWith('refs/') ? [areArtifactsUnread && isTag(reference.name) ? reference : rest] : [];
}
