import type { RawPage } from '../../answers/pagingWay.ts';
import type { RepositoryApi } from '../../forge/forge.ts';
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

	/** With the files that were uploaded; those of the first page are known. */
	async function described(
		ref: RepositoryRef,
		all: readonly Reference[],
		known: readonly Reference[],
		signal: AbortSignal,
	): Promise<readonly Reference[]> {
		const told = new Map<string, DescribedReference>(known.map((each) => [each.name, each]));
		const open = all.map(({ name }) => name).filter((name) => !told.has(name));
		const asked: Promise<readonly DescribedReference[] | undefined>[] = [];
		for (let from = 0; from < open.length; from += readReferences.mostAtOnce) {
			const names = open.slice(from, from + readReferences.mostAtOnce);
			const variables: Record<string, unknown> = {};
			for (let at = 0; at < readReferences.mostAtOnce; at += 1) {
				variables[`name${at}`] = names[at] ?? names[0];
			}
			asked.push(named.ask(readReferences, ref, variables, signal));
		}
		for (const found of await Promise.all(asked)) {
			found?.forEach((each) => told.set(each.name, each));
		}
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
