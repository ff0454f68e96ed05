import { fake } from './fake.ts';
import type { FoundProtocols } from '../../src/store/shared/foundProtocols.ts';

/** Protocols from the settings, so no forge gets a probe. */
export const knownProtocols = fake<FoundProtocols>({
	find: () => undefined,
	withFound: (instance) => instance,
	doubt: () => undefined,
	onDidChange: () => ({ dispose: () => undefined }),
});
