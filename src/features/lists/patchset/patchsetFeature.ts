import { restorePage } from '../../../editor/pages/restorePage.ts';
import { patchsetTarget } from '../subjects/listTargets.ts';
import type { ListsParts, PageArea } from '../parts/listsParts.ts';
import { patchsetSubject, type PatchsetSubject } from '../subjects/subjects.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import type { PatchsetProtocol } from '../../../protocol/patchsetProtocol.ts';
import { tabTitle } from './headView.ts';
import { OpenPatchset } from './openPatchset.ts';
import { patchsetHandlers } from './patchsetHandlers.ts';

/** Composes the pages of patchsets. */
export function patchsetPages(parts: ListsParts): PageArea {
	const ending = new AbortController();
	return {
		commands: {
			'forge.patchsets.open': async (subject, signal) => {
				const patchset = await patchsetTarget(parts, subject, signal);
				parts.pages.open(patchsetPage(parts, patchset, ending.signal), 'taken');
			},
		},
		restorePage: restorePage(patchsetSubject, (panel, subject) => {
			parts.pages.restore(panel, patchsetPage(parts, subject, ending.signal));
		}),
		dispose() {
			ending.abort();
		},
	};
}

/** Page of a patchset. `writing` outlives the page: a running write may already have reached the forge. */
export function patchsetPage(
	parts: ListsParts,
	subject: PatchsetSubject,
	writing: AbortSignal,
): PageContent<PatchsetProtocol> {
	const { connectionKey, ref } = subject;
	const known = parts.connections.byKey(connectionKey)?.lists.knownPatchset(ref);
	return {
		type: 'forge.patchset',
		key: `${connectionKey} ${refText(ref.list)} ${ref.id}`,
		title: tabTitle(ref, known),
		icon: 'git-pull-request',
		subject,
		script: 'patchset.js',
		styles: ['page.css', 'mailText.css', 'files.css', 'patchsetPage.css'],
		keptOpenBy: ['openPatchset', 'follow'],
		connect(link) {
			const page = new OpenPatchset(parts, { subject, link });
			return { handlers: patchsetHandlers(page, { parts, subject, link, writing }), start: page.open() };
		},
	};
}
