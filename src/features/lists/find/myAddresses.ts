import { isAbort } from '../../../base/abort.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import type { Connection } from '../../../store/connection.ts';
import { SharedReads } from '../../../base/sharedFlights.ts';

/** Last known address, from this or an earlier window. */
function ownAddressOf({ me, people }: Connection): string | undefined {
	return people.ownAddress() ?? people.known(me)?.address;
}

/** Asks each account's profile in the area of lists. */
export function myAddresses(log: (error: unknown) => void) {
	const read = new WeakMap<Connection, string | undefined>();
	const reads = new SharedReads<void>();

	async function ask(connection: Connection, signal: AbortSignal): Promise<void> {
		try {
			const { email } = await connection.people.ownProfile(signal);
			read.set(connection, email);
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			log(error);
			if (isRefusal(error)) {
				read.set(connection, undefined);
			}
		}
	}

	return {
		/** From this or an earlier window, without a request; `undefined` if unknown. */
		known: (connection: Connection) => read.get(connection) ?? ownAddressOf(connection),
		/** Loads once for all callers. Logs errors; a later call retries unless the forge refused. */
		async read(connection: Connection, signal: AbortSignal) {
			if (!read.has(connection)) {
				await reads.read(connection.key, (shared) => ask(connection, shared), signal);
			}
		},
	};
}

/** A retry would give the same answer. */
function isRefusal(error: unknown): boolean {
	return isForgeError(error) && ['notAllowed', 'missingScope', 'notFound'].includes(error.problem.kind);
}
