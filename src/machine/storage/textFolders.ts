import { createHash } from 'node:crypto';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { GroupedTexts, KeptTexts } from '../../store/shared/keptReadings.ts';
import { cacheFolders, mebibyte, type CacheFiles, type CacheLimits } from './cacheFolders.ts';

/** Disk cache folders of texts. */
export type TextFolders = ReturnType<typeof textFolders>;

/** Mails compress to about a third. A larger mail takes longer than a frame to encode. */
export const mailLimits: CacheLimits = { bytes: 256 * mebibyte, fileBytes: 16 * mebibyte };

/** Repository names, references and logs; their producers bound each file. */
export const repositoryLimits: CacheLimits = { bytes: 64 * mebibyte, fileBytes: 4 * mebibyte };

/** One folder per account below `folder`. */
export function textFolders(folder: string, clock: Clock, limits: CacheLimits) {
	const folders = cacheFolders(folder, clock, limits);
	return {
		...folders,
		/**
		 * An account's texts. Creates nothing before the first write. `home`: the server, so that another forge with the
		 * same name finds nothing.
		 */
		of(connectionKey: string, home: string): GroupedTexts {
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

/** The length of git's SHA-1 ids. */
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
