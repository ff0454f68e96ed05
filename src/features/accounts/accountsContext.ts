import type { Clock } from '@forge-desk/base/clock.ts';
import type { Event } from '@forge-desk/base/event.ts';
import type { RandomBytes } from '@forge-desk/base/secretText.ts';
import type { ClientSecrets } from '../../editor/accounts/clientSecrets.ts';
import type { ForgeDirectory, ForgeSettings } from '../../editor/accounts/forgeDirectory.ts';
import type { SampleSource } from '../../editor/accounts/sampleSource.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import type { ForgeProtocol } from 'sourcehut/port/forgeProtocol.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { IdentityHttp } from 'sourcehut/identity/identityHttp.ts';
import type { ReadAnything, WhoAmI } from 'sourcehut/identity/tokenCheck.ts';
import type { KeptText } from '../../store/shared/keptText.ts';

/** The ways to a forge's identity; each loads the network on its first call. */
export interface AccountNet {
	protocol(instance: ForgeInstance): Promise<ForgeProtocol>;
	/**
	 * Adds the protocol of each area; probes only areas with an unknown protocol. Throws ForgeError if no area answers.
	 */
	withProtocols(instance: ForgeInstance, signal: AbortSignal): Promise<ForgeInstance>;
	/** The first address with a projects service. Sends no token. */
	findHub(origins: readonly string[], signal: AbortSignal): Promise<string | undefined>;
	identity(instance: ForgeInstance): IdentityHttp;
	whoAmI(instance: ForgeInstance): WhoAmI;
	readAnything(instance: ForgeInstance): ReadAnything;
}

/** Dependencies of the accounts area. */
export interface AccountsContext {
	readonly sessions: SessionStore;
	readonly clientSecrets: ClientSecrets;
	readonly net: AccountNet;
	readonly clock: Clock;
	readonly random: RandomBytes;
	/** A failure as a sentence. */
	readonly explain: (error: unknown) => string;
	/**
	 * Does the work that needs the account's token, before the token goes. Reports failures itself; rejects only with
	 * an abort.
	 */
	readonly beforeTokenGoes: (connectionKey: string, signal: AbortSignal) => Promise<void>;
	/** Undoes `beforeTokenGoes` when the token stays. Never rejects. */
	readonly tokenStays: (connectionKey: string) => Promise<void>;
	readonly settings: ForgeSettings;
	readonly forges: ForgeDirectory;
	readonly sample: SampleSource;
	/** Deletes everything stored for an account except its token. */
	readonly forget: (connectionKey: string) => Promise<void>;
	/** Expiry notices already shown, shared by all windows. */
	readonly endings: KeptText;
	readonly lease: { isOwner(): boolean; readonly onDidChange: Event<void> };
	/** Items of the account's outbox. */
	readonly queued: (connectionKey: string) => number;
	/** Logs a failure without showing it. */
	readonly noteFailure: (error: unknown) => void;
}
