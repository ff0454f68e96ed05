import type { KeptThreadLook } from '../../features/lists/parts/listsParts.ts';
import type { NameStorage } from '../../storage/nameStorage.ts';

const wrapKey = 'forge.threadPage.wrap';
const quotesKey = 'forge.threadPage.quotes';

/** Display options of threads, stored for all pages and windows. Default: wrapped lines, folded quotes. */
export function keptThreadLook(storage: NameStorage): KeptThreadLook {
	return {
		now: () => ({
			areLinesWrapped: storage.get(wrapKey) !== false,
			areQuotesOpen: storage.get(quotesKey) === true,
		}),
		async keep({ areLinesWrapped, areQuotesOpen }) {
			await storage.update(wrapKey, areLinesWrapped);
			await storage.update(quotesKey, areQuotesOpen);
		},
	};
}
