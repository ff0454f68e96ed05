import { fake } from './fake.ts';
import type { FoundProtocols } from '../../src/store/shared/foundProtocols.ts';

/** Of forges whose settings say what they speak: nobody has to be asked. */
export const knownProtocols = fake<FoundProtocols>({
	find: () => undefined,
	withFound: (instance) => instance,
	doubt: () => undefined,
	onDidChange: () => ({ dispose: () => undefined }),
});
