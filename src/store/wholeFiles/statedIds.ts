import type { RepositoryRef } from '../../forge/port/repository.ts';
import { refText } from '../../forge/port/namedRef.ts';
import { isObjectId } from '../../engine/git/objectId.ts';
import { blobId } from '../../engine/patch/blobId.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import { listOf, text, wrong } from '../shared/keptFields.ts';
import { headBytes, type KeptReadings } from '../shared/keptReadings.ts';

/** Full ids by the abbreviated ids in patches, per repository; cached on disk. */
export interface StatedIds {
	/** Never rejects. */
	fullId(ref: RepositoryRef, stated: string): Promise<string | undefined>;
	note(ref: RepositoryRef, stated: string, content: Uint8Array): void;
}

/** Per repository. */
const mostIds = 2000;

export function statedIds(kept: Pick<KeptReadings, 'read' | 'keep'> | undefined): StatedIds {
	const known = new Map<string, Promise<Map<string, string>>>();

	function idsOf(ref: RepositoryRef): Promise<Map<string, string>> {
		const name = nameOf(ref);
		const ids = known.get(name) ?? read(name);
		known.set(name, ids);
		return ids;
	}

	async function read(name: string): Promise<Map<string, string>> {
		return new Map((await kept?.read(name, (value) => listOf(value, pairOf)))?.value);
	}

	return {
		async fullId(ref, stated) {
			return isObjectId(stated) ? stated : (await idsOf(ref)).get(stated);
		},
		note(ref, stated, content) {
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

function pairOf(value: unknown): [string, string] {
	const [stated = '', full = ''] = listOf(value, text);
	return isObjectId(full) && full.startsWith(stated) && stated !== '' ? [stated, full] : wrong();
}

/** Detected support for abbreviated blob ids, separately for own and other repositories. */
export interface ShortIdSupport {
	of(isMine: boolean): 'given out' | 'refused' | undefined;
	learn(isMine: boolean, support: 'given out' | 'refused'): void;
}

export function shortIdSupport(kept: KeptNames): ShortIdSupport {
	const factOf = (isMine: boolean, support: 'given out' | 'refused'): string =>
		`${isMine ? 'own' : 'other'} ${support}`;
	return {
		of: (isMine) => (['given out', 'refused'] as const).find((support) => kept.all().includes(factOf(isMine, support))),
		learn(isMine, support) {
			if (this.of(isMine) !== support) {
				const others = kept.all().filter((name) => !name.startsWith(isMine ? 'own' : 'other'));
				kept.keep([...others, factOf(isMine, support)]).catch(() => undefined);
			}
		},
	};
}
