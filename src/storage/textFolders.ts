import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { GroupedTexts, KeptTexts } from '../state/shared/keptReadings.ts';
import { cacheFolders, mebibyte, type CacheFiles, type CacheFolders, type CacheLimits } from './cacheFolders.ts';

/** Folders in which texts of accounts are kept. */
export interface TextFolders extends Omit<CacheFolders, 'of'> {
	/**
	 * What is kept of an account. Nothing is made before the first text is kept. `home` is where its things live: another
	 * forge that is given the same name later finds nothing that was kept of this one.
	 */
	of(connectionKey: string, home: string): GroupedTexts;
}

/** Mails are mostly text, and packed to about a third. A larger one takes longer than a frame to be made into bytes. */
export const mailLimits: CacheLimits = { bytes: 256 * mebibyte, fileBytes: 16 * mebibyte };

/** Names, references and logs of repositories; each file is bounded where it is made. */
export const repositoryLimits: CacheLimits = { bytes: 64 * mebibyte, fileBytes: 4 * mebibyte };

/** Keeps texts below `folder`, in a folder for each account. */
export function textFolders(folder: string, clock: Clock, limits: CacheLimits): TextFolders {
	const folders = cacheFolders(folder, clock, limits);
	return {
		...folders,
		of(connectionKey, home) {
			const files = folders.of(connectionKey);
			const digits = (text: string): string => createHash('sha256').update(`${home}\n${text}`).digest('hex');
			return {
				...textsIn(files, (name) => digits(name).slice(0, idDigits)),
				group(name) {
					const beginning = digits(name).slice(0, idDigits / 2);
					return {
						...textsIn(files, (each) => `${beginning}${digits(each).slice(0, idDigits / 2)}`),
						dropAll: () => files.dropAll(beginning),
					};
				},
			};
		},
	};
}

/** As long as those of git's objects. */
const idDigits = 40;

function textsIn(files: CacheFiles, idOf: (name: string) => string): KeptTexts {
	return {
		read: (name, open) => files.read(idOf(name), (bytes) => open(bytes.toString('utf8'))),
		drop: (name) => files.drop(idOf(name)),
		keep(name, { text, ...content }) {
			const bytes = (): Uint8Array | undefined => {
				const late = text();
				return late === undefined ? undefined : Buffer.from(late, 'utf8');
			};
			files.keep(idOf(name), { ...content, bytes });
		},
	};
}
