import type { FoundProtocols } from '../../src/store/shared/foundProtocols.ts';

/** Of forges whose settings say what they speak: nobody has to be asked. */
export const knownProtocols: Pick<FoundProtocols, 'find' | 'withFound' | 'doubt' | 'onDidChange'> = {
	find: () => undefined,
	withFound: (instance) => instance,
	doubt: () => undefined,
	onDidChange: () => ({ dispose: () => undefined }),
};
