import type { Clock } from '@forge-desk/base/clock.ts';
import type { GitPlace } from 'hardened-git/hardenedGit.ts';
import type { Token } from 'sourcehut/identity/token.ts';
import type { ForgeProtocol } from 'sourcehut/port/forgeProtocol.ts';
import type { ContentArea, ForgeInstance } from 'sourcehut/port/instance.ts';
import type { ProxyUse } from 'sourcehut/port/proxyUse.ts';
import type { ServiceLook } from 'sourcehut/port/serviceLook.ts';
import type { ForgeDirectory } from '../../editor/accounts/forgeDirectory.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { FindGit } from '../../editor/git/gitApi.ts';
import type { PageHost } from '../../editor/pages/pageHost.ts';
import type { Connections } from '../../store/connection.ts';
import type { Listening } from '../../store/listening/listening.ts';
import type { PostDelivery } from '../../store/listening/probeAddress.ts';
import type { Line } from './line.ts';

/** The network, as far as the checks use it. Each loads it on the first call. */
export interface CheckNet {
	protocol(instance: ForgeInstance): Promise<ForgeProtocol>;
	/** One request without a token. Throws ForgeError. */
	look(origin: string, signal: AbortSignal): Promise<ServiceLook>;
	/**
	 * Reads with the token: its owner, something of its own, and the version of the service, empty if unknown. Throws
	 * ForgeError.
	 */
	ask(
		instance: ForgeInstance,
		area: ContentArea,
		token: Token,
		signal: AbortSignal,
	): Promise<{ readonly owner: string; readonly version: string }>;
	/** The proxy of a URL and its source. */
	proxyFor(address: string, signal: AbortSignal): Promise<ProxyUse>;
	/** False if the user allows certificates that nobody checks. */
	areCertificatesChecked(): boolean;
	/** Texts of the network's settings that no line may show. */
	secrets(): readonly string[];
}

/** Dependencies of the checks. */
export interface CheckContext {
	readonly sessions: SessionStore;
	readonly forges: ForgeDirectory;
	readonly connections: Connections;
	/** Resolves when all signed-in accounts are connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly net: CheckNet;
	/** False in Restricted Mode, where no git runs. */
	readonly isTrusted: () => boolean;
	readonly git: GitPlace;
	readonly findGit: FindGit;
	/** Variable `EMAIL` of the environment. */
	readonly email: string | undefined;
	/** Home folder. No line shows it. */
	readonly home: string;
	readonly listening: Listening;
	/** Calls the listener by its public address. */
	readonly post: PostDelivery;
	readonly pages: PageHost;
	readonly problems: Problems;
	/** `Forge Desk 1.0.0, Visual Studio Code 1.100.0, linux`, for the head of a report. */
	readonly program: string;
	readonly clock: Clock;
}

/** One check. `run` throws only an abort, or an error of ours. */
export interface Check {
	/** Its subject, shown while it runs. */
	readonly about: string;
	run(signal: AbortSignal): Promise<readonly Line[]>;
}

/** Checks with a common heading. */
export interface CheckGroup {
	readonly title: string;
	readonly checks: readonly Check[];
}
