import { withoutSecrets } from '@forge-desk/base/withoutSecrets.ts';

/** Log output channel. Never pass it tokens, request bodies or responses. */
export interface Log {
	info(message: string): void;
	warn(message: string): void;
	error(message: string): void;
}

/** Errors of servers and programs may repeat a secret. */
export function logWithoutSecrets(log: Log, secrets: () => readonly string[]): Log {
	const bare = (message: string): string => withoutSecrets(message, secrets(), '');
	return {
		info: (message) => log.info(bare(message)),
		warn: (message) => log.warn(bare(message)),
		error: (message) => log.error(bare(message)),
	};
}
