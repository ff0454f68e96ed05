import * as vscode from 'vscode';
import type { Desk } from '../../editor/desk.ts';
import type { ToolName } from '../../editor/models/toolNames.ts';
import type { References } from '../../editor/links/references.ts';
import { signedInKey, workKey } from '../../editor/names/storageKeys.ts';
import { languageFamilies } from '../../engine/text/commentSpans.ts';

/** Languages whose comments may name tickets, and texts that may name them anywhere. */
const languages = ['markdown', 'git-commit', 'scminput', ...languageFamilies.keys()];

/** Ticket references in texts; loads the desk when a text may contain one. */
export interface LazyReferences extends vscode.Disposable {
	/** Subscribes to account changes of the loaded desk. */
	follow(desk: Desk): void;
}

/** Possible ticket references. A quick test, so that most texts don't load the desk. */
const mayName = /#[1-9]|\/(?:~|%7e)[a-z_]/i;

/**
 * Registers providers for visible texts. They run unasked, so they load the desk only when signed in and only for a
 * possible reference. Registers nothing while signed out.
 */
export function lazyReferences(context: vscode.ExtensionContext, desk: () => Promise<Desk>): LazyReferences {
	const { globalState, secrets, workspaceState } = context;
	let registered: readonly vscode.Disposable[] = [];
	const isSignedIn = (): boolean => globalState.get(signedInKey) === true;
	const real = async (): Promise<References> => (await desk()).references();
	const realFor = async (text: string): Promise<References | undefined> =>
		isSignedIn() && mayName.test(text) ? real() : undefined;

	// Registering again makes the editor query open texts again.
	function register(): void {
		unregister();
		registered = isSignedIn() ? registrations(real, realFor) : [];
	}

	function unregister(): void {
		registered.forEach((each) => void each.dispose());
		registered = [];
	}

	// A sign-in in another window fires only the secrets event, slightly before the storage has the flag.
	const listening = secrets.onDidChange(() => {
		registered = registered.length === 0 ? registrations(real, realFor) : registered;
	});
	// The meaning of #12 in a folder changed, so visible links may be stale.
	const correcting = vscode.workspace.onDidChangeConfiguration((change) => {
		if (change.affectsConfiguration('forge.folder') && registered.length > 0) {
			register();
		}
	});
	register();
	if (isSignedIn() && workspaceState.get(workKey) !== undefined) {
		// The commit message box needs the trailer of work started here.
		desk().catch(() => undefined); // The next use tries again and reports the error.
	}
	let following: vscode.Disposable | undefined;
	return {
		follow(opened) {
			following = opened.onDidChangeAccounts(register);
		},
		dispose() {
			listening.dispose();
			correcting.dispose();
			following?.dispose();
			unregister();
		},
	};
}

/** `realFor`: `undefined` without a possible reference. */
function registrations(
	real: () => Promise<References>,
	realFor: (text: string) => Promise<References | undefined>,
): readonly vscode.Disposable[] {
	return [
		vscode.languages.registerDocumentLinkProvider(languages, {
			provideDocumentLinks: async (document, token) =>
				(await realFor(document.getText()))?.links.provideDocumentLinks(document, token),
		}),
		vscode.languages.registerHoverProvider(languages, {
			provideHover: async (document, position, token) =>
				(await realFor(document.lineAt(position).text))?.hovers.provideHover(document, position, token),
		}),
		vscode.languages.registerCompletionItemProvider(
			languages,
			{
				provideCompletionItems: async (document, position, token, how) =>
					mayBegin(document, position)
						? (await real()).completions.provideCompletionItems(document, position, token, how)
						: undefined,
				resolveCompletionItem: async (item, token) => (await real()).completions.resolveCompletionItem?.(item, token),
			},
			'#',
			' ',
		),
		vscode.window.registerTerminalLinkProvider({
			provideTerminalLinks: async (line, token) =>
				(await realFor(line.line))?.terminals.provideTerminalLinks(line, token) ?? [],
			handleTerminalLink: async (link) => (await real()).terminals.handleTerminalLink(link),
		}),
	];
}

/** After a `#`, or in a commit message line that may become a trailer. */
function mayBegin(document: vscode.TextDocument, { line, character }: vscode.Position): boolean {
	const before = document.lineAt(line).text.slice(0, character);
	return (
		/(?<![^\s(])#[^\s#]{0,60}$/.test(before) ||
		(/^(?:git-commit|scminput)$/.test(document.languageId) && /^[A-Za-z]{1,10}(?::[ \t]*\S*)?$/.test(before))
	);
}

/** Language model tools from the manifest; each loads the desk on use. */
export function lazyTools({ extension }: vscode.ExtensionContext, desk: () => Promise<Desk>): vscode.Disposable[] {
	// oxlint-disable-next-line typescript/no-unsafe-assignment -- our own manifest; a unit test compares it with the list
	const {
		contributes,
	}: {
		readonly contributes: { readonly languageModelTools: readonly { readonly name: ToolName }[] };
	} = extension.packageJSON;
	return contributes.languageModelTools.map(({ name }) => {
		const tool = async (): Promise<vscode.LanguageModelTool<unknown>> => (await desk()).tool(name);
		return vscode.lm.registerTool<unknown>(name, {
			prepareInvocation: async (options, token) => (await tool()).prepareInvocation?.(options, token),
			invoke: async (options, token) => (await tool()).invoke(options, token),
		});
	});
}
