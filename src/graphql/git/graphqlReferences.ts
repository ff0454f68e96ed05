import type { RawPage } from '../../answers/pagingWay.ts';
import type { RepositoryApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { isAway } from '../../forge/isAway.ts';
import type { Page, Pages } from '../../forge/page.ts';
import type { Reference, RepositoryRef } from '../../forge/repository.ts';
import { listed, orNotFound } from '../door/listed.ts';
import type { DescribedReference } from './gitAnswers.ts';
import type { GitParts } from './gitParts.ts';
import { listReferences, readReferences } from './objectDocuments.ts';

/**
 * References, over GraphQL. Between two pages of 25 the API loses some (docs/protocol.md#graphql-pages-of-names): where there
 * is more than one, git lists them all, and the API tells only what was uploaded for them. Where git cannot, the list comes
 * page by page and is not said to be all.
 */
export function graphqlReferences({
	named,
	visits,
	instance,
	git,
}: GitParts): Pick<RepositoryApi, 'references'> & Required<Pick<RepositoryApi, 'targets'>> {
	async function* page(all: readonly Reference[]): Pages<Reference> {
		const items = all.filter(isNoOther);
		yield { items, seen: items.length, completeness: { kind: 'complete' } };
	}

	/**
	 * What the API tells of references by their names. Those of a question that fails are left out, and once the forge is
	 * away all that were not asked about: the list itself is known, and is not hidden by what it has besides.
	 */
	async function describedByName(
		ref: RepositoryRef,
		names: readonly string[],
		signal: AbortSignal,
	): Promise<readonly DescribedReference[]> {
		const found: DescribedReference[] = [];
		const questions = questionsFor(names).values();
		let isOver = false;
		const askWhileThere = async (): Promise<void> => {
			for (const question of questions) {
				if (isOver) {
					return;
				}
				try {
					found.push(...((await named.ask(readReferences, ref, question, signal)) ?? []));
				} catch (error) {
					if (!isForgeError(error)) {
						throw error;
					}
					isOver ||= isAway(error);
				}
			}
		};
		await Promise.all(Array.from({ length: mostUnderWay }, askWhileThere));
		return found;
	}

	/** With the files that were uploaded, as far as they are told; those of the first page are known. */
	async function described(
		ref: RepositoryRef,
		all: readonly Reference[],
		known: readonly Reference[],
		signal: AbortSignal,
	): Promise<readonly Reference[]> {
		const told = new Map<string, DescribedReference>(known.map((each) => [each.name, each]));
		const open = all.map(({ name }) => name).filter((name) => !told.has(name));
		const found = await describedByName(ref, open, signal);
		found.forEach((each) => told.set(each.name, each));
		// Where one stands is what git says: it has told all at the same moment.
		return all.map((each) => {
			const { artifacts, hasMoreArtifacts } = told.get(each.name) ?? {};
			return artifacts ? { ...each, artifacts, ...(hasMoreArtifacts ? { hasMoreArtifacts } : {}) } : each;
		});
	}

	/** The first page, and all of them where there is a way to read them. `isBare`: where they lead is all that is wanted. */
	async function beginning(ref: RepositoryRef, isBare: boolean, signal: AbortSignal): Promise<Beginning> {
		const visit = isBare ? undefined : visits.references(ref, signal);
		let all: readonly Reference[] | undefined;
		try {
			const first = orNotFound(await named.ask(listReferences, ref, {}, signal));
			const listed =
				first.next === undefined ? first.items : await git?.references({ instance, ref: named.now(ref) }, signal);
			const isKnown = isBare || first.next === undefined;
			all = isKnown ? listed : listed && (await described(ref, listed, first.items, signal));
			return { first, all };
		} finally {
			visit?.told(all);
		}
	}

	async function* read(ref: RepositoryRef, isBare: boolean, signal: AbortSignal): Pages<Reference> {
		const { first, all } = await beginning(ref, isBare, signal);
		if (all !== undefined) {
			yield* page(all);
			return;
		}
		const pages = listed(
			{
				fetch: async (cursor, pageSignal) =>
					cursor === undefined ? first : named.ask(listReferences, ref, { cursor }, pageSignal),
				key: ({ name }) => name,
				isLossy: true,
			},
			signal,
		);
		let left = 0;
		for await (const each of pages) {
			const items = each.items.filter(isNoOther);
			left += each.items.length - items.length;
			yield { ...withoutNext(each), items, seen: each.seen - left };
		}
	}

	return {
		references: (ref, signal) => read(ref, false, signal),
		targets: (ref, signal) => read(ref, true, signal),
	};
}

/** Questions about names that are on their way at a time: a repository may have thousands of tags. */
const mostUnderWay = 4;

/** The variables of questions about names. Each has the same number of them; its first one fills the places that are left. */
function questionsFor(names: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
	const { mostAtOnce } = readReferences;
	return Array.from({ length: Math.ceil(names.length / mostAtOnce) }, (_each, question) => {
		const asked = names.slice(question * mostAtOnce, (question + 1) * mostAtOnce);
		const places = Array.from({ length: mostAtOnce }, (_place, at) => [`name${at}`, asked[at] ?? asked[0]] as const);
		return Object.fromEntries(places);
	});
}

interface Beginning {
	readonly first: RawPage<Reference>;
	/** `undefined` where nobody can tell. */
	readonly all: readonly Reference[] | undefined;
}

/** `HEAD` is listed, and stands for another one. */
function isNoOther({ name }: Reference): boolean {
	return name.startsWith('refs/');
}

function withoutNext({ items, seen, completeness }: Page<Reference>): Page<Reference> {
	return { items, seen, completeness };
}
