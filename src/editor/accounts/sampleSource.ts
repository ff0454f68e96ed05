import type { Event } from '../../base/event.ts';
import type { ForgeInstance } from '../../forge/port/instance.ts';
import type { Token } from '../../forge/identity/token.ts';

/** A sample forge that runs now. Everything here dies with its process. */
export interface RunningSample {
	readonly instance: ForgeInstance;
	/** Secret of the client that it has registered for us. */
	readonly clientSecret: Token;
	/** Personal tokens of its users, by name without `~`. */
	readonly tokens: Readonly<Record<string, Token>>;
	/** Its mail server on this computer, for addresses of `domain` and its subdomains. */
	readonly smtp: { readonly port: number; readonly domain: string } | undefined;
}

/** Starts and provides the sample forge. */
export interface SampleSource {
	running(): RunningSample | undefined;
	/** Starts it; the one that runs already is the answer otherwise. Never more than one. */
	start(signal: AbortSignal): Promise<RunningSample>;
	/** It started or ended. */
	readonly onDidChange: Event<void>;
}
