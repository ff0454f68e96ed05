import type { Page } from 'playwright-core';

/** Security incidents in an editor's window. */
export interface WorkbenchWatch {
	/** Executed scripts and open dialogs, in any frame. */
	readonly ran: readonly string[];
	/** Requested addresses outside this machine. */
	readonly foreign: readonly string[];
	/** Injected nodes in the window; see `workbenchHoles`. */
	holes(): Promise<readonly string[]>;
}

/** The editor itself looks up extensions, and renames files of extensions and pages for its service worker. */
const editorsOwn =
	/^https:\/\/(?:open-vsx\.org\/vscode\/gallery\/|vscode-remote\+127-002e0-002e0-002e1-[\w-]+\.vscode-resource\.vscode-cdn\.net\/[^?#]*\/extensions\/)/;

/** Reloads a window and watches it. */
export async function watchWorkbench(page: Page): Promise<WorkbenchWatch> {
	const ran: string[] = [];
	const foreign: string[] = [];
	await page.exposeFunction('incident', (what: string) => void ran.push(what));
	await page.addInitScript(() => {
		const dialog = (text?: string): null => {
			window.incident(`dialog ${text}`);
			return null;
		};
		Object.assign(window, { alert: dialog, confirm: dialog, prompt: dialog });
		document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
			if (blockedURI.includes('evil.test') || blockedURI === 'inline' || sample.includes('alert')) {
				window.incident(`policy ${violatedDirective} ${blockedURI} ${sample}`);
			}
		});
	});
	page.on('dialog', (dialog) => {
		ran.push(`dialog ${dialog.message()}`);
		void dialog.dismiss();
	});
	// Requests of service workers have no page.
	page.context().on('request', (request) => {
		const url = new URL(request.url());
		const isOnline = ['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol);
		if (isOnline && url.hostname !== '127.0.0.1' && !editorsOwn.test(url.href)) {
			foreign.push(url.href);
		}
	});
	await page.reload();
	await page.locator('.activitybar').getByRole('tab').first().waitFor();
	return { ran, foreign, holes: () => page.evaluate(workbenchHoles) };
}

/**
 * Elements, attributes, links and pictures of the workbench that only a hostile text can have added. Runs in the page,
 * so it can't use outer variables.
 */
function workbenchHoles(): readonly string[] {
	const ours =
		'.monaco-list,.monaco-hover,.notification-toast,.notifications-center,.quick-input-widget,.statusbar,.tabs-container,' +
		'.pane-header,.breadcrumbs-control,.monaco-dialog-box,.titlebar,.suggest-widget,.context-view,.view-lines';
	const forbidden =
		'script,iframe,frame,object,embed,form,meta,base,style:not([media=screen]),link,video,audio,source,template,math,svg,marquee,dialog,' +
		'details,img:not([src^="data:image/svg+xml;base64"]):not([src=""])';
	const pictures = '.codicon-zap,.codicon-verified-filled,.codicon-sync.codicon-modifier-spin,.codicon-account';
	const commands = '[href*="command:" i],[data-href*="command:" i]';
	const places = Array.from(document.querySelectorAll(ours));
	const elements = places.flatMap((place) => Array.from(place.querySelectorAll('*')));
	const describe = ({ outerHTML }: Element): string => outerHTML.slice(0, 300);
	const isWrittenByText = ({ name, value }: Attr): boolean =>
		name.startsWith('on') ||
		(/^(?:src|srcset|href|data-href|style|action|formaction|background|poster)$/.test(name) &&
			/evil\.test|alert\(1\)|^\s*(?:javascript|vbscript|vscode|file):/i.test(value));
	return [
		...elements.filter((element) => element.matches(forbidden)).map(describe),
		...elements
			.filter((element) => element.matches(pictures) && element.closest('.actions-container,.action-label') === null)
			.map((element) => `${describe(element)} in ${element.parentElement?.className ?? ''}`),
		...elements
			.filter((element) => element.matches(commands))
			.filter((element) => /workbench\.action|_workbench|evil/i.test(element.outerHTML))
			.map(describe),
		...elements
			.flatMap((element) => Array.from(element.attributes).filter(isWrittenByText))
			.map(({ name, value }) => `${name}=${value.slice(0, 300)}`),
		...(Reflect.get({}, 'polluted') === undefined ? [] : ['a prototype was changed']),
	];
}
