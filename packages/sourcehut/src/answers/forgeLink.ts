import type { Clock } from '@forge-desk/base/clock.ts';
import type { WorkerJson } from '@forge-desk/base/workerJson.ts';
import type { GitReads } from '../port/gitReads.ts';
import type { ForgeInstance } from '../port/instance.ts';
import type { LearntFacts } from '../port/learntFacts.ts';
import type { TokenFor, TokenRejected } from '../port/tokenFor.ts';
import type { OwnerName } from '../port/user.ts';
import type { HttpClient } from '../http/httpClient.ts';

/** An account's link to its forge: the source of its tokens, and the transport of its requests. */
export interface ForgeLink {
	readonly instance: ForgeInstance;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly tokenFor: TokenFor;
	/** Without it, a request with a rejected token isn't repeated. */
	readonly tokenRejected?: TokenRejected | undefined;
	readonly http: HttpClient;
	readonly clock: Clock;
	/** Parses large responses in a worker. Without it, parsing blocks this process. */
	readonly workerJson?: WorkerJson | undefined;
	/** Facts about the server from earlier sessions. Without it, they last for the session. */
	readonly learnt?: LearntFacts | undefined;
	/** Reads over Git the repository data that an API loses. Without it, possibly incomplete results say so. */
	readonly git?: GitReads | undefined;
}
