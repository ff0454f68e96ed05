import * as v from 'valibot';
import type { RepositoryRef } from '../../forge/port/repository.ts';
import { refText } from '../../forge/port/namedRef.ts';
import { isObjectId } from '../../engine/git/objectId.ts';
import { blobId } from '../../engine/patch/blobId.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import { headBytes, type KeptReadings } from '../shared/keptReadings.ts';

/** Per repository. */
const mostIds = 2000;

const idsOfFile = v.parser(
	v.array(
		v.pipe(
			v.tuple([v.string(), v.string()]),
			v.check(([stated, full]) => isObjectId(full) && full.startsWith(stated) && stated !== ''),
		),
	),
);

export type StatedIds = ReturnType<typeof statedIds>;

/** Full ids by the abbreviated ids in patches, per repository; cached on disk. */
export function statedIds(kept: KeptReadings | undefined) {
	const known = new Map<string, Promise<Map<string, string>>>();

	function idsOf(ref: RepositoryRef): Promise<Map<string, string>> {
		const name = nameOf(ref);
		const ids = known.get(name) ?? read(name);
		known.set(name, ids);
		return ids;
	}

	async function read(name: string): Promise<Map<string, string>> {
		return new Map((await kept?.read(name, idsOfFile))?.value);
	}

	return {
		/** Never rejects. */
		async fullId(ref: RepositoryRef, stated: string): Promise<string | undefined> {
			return isObjectId(stated) ? stated : (await idsOf(ref)).get(stated);
		},
		note(ref: RepositoryRef, stated: string, content: Uint8Array): void {
			if (isObjectId(stated)) {
				return;
			}
			const full = blobId(content);
			void idsOf(ref).then((ids) => {
				if (ids.get(stated) !== full) {
					ids.delete(stated);
					ids.set(stated, full);
					for (const oldest of [...ids.keys()].slice(0, Math.max(0, ids.size - mostIds))) {
						ids.delete(oldest);
					}
					kept?.keep(nameOf(ref), [...ids], headBytes + ids.size * 100);
				}
			});
		},
	};
}

function nameOf(ref: RepositoryRef): string {
	return `stated-ids ${refText(ref)}`;
}

const supports = ['given out', 'refused'] as const;
type Support = (typeof supports)[number];

export type ShortIdSupport = ReturnType<typeof shortIdSupport>;

/** Detected support for abbreviated blob ids, separately for own and other repositories. */
export function shortIdSupport(kept: KeptNames) {
	const factOf = (isMine: boolean, support: Support): string => `${isMine ? 'own' : 'other'} ${support}`;
	const of = (isMine: boolean): Support | undefined =>
		supports.find((support) => kept.all().includes(factOf(isMine, support)));
	return {
		of,
		learn(isMine: boolean, support: Support): void {
			if (of(isMine) !== support) {
				const others = kept.all().filter((name) => !name.startsWith(isMine ? 'own' : 'other'));
				kept.keep([...others, factOf(isMine, support)]).catch(() => undefined);
			}
		},
	};
}
