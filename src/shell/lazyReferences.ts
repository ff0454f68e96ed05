import * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';
import type { ToolName } from '../editor/models/languageTools.ts';
import type { References } from '../editor/links/references.ts';
import { signedInKey, workKey } from '../editor/names/storageKeys.ts';

/** References in texts, asked of the desk when a text that may name a ticket is shown. */
export interface LazyReferences extends vscode.Disposable {
	/** Hears of accounts from the desk once it is there. */
	follow(desk: Pick<Desk, 'onDidChangeAccounts'>): void;
}

/** Anything that may name a ticket. A quick look, so that most texts never reach the desk. */
const mayName = /#[1-9]|\/(?:~|%7e)[a-z_]/i;

/**
 * Registers what the editor asks for while it shows texts. Nobody asked for anything then, so the desk is opened only
 * when somebody is signed in and the text may name a ticket; while nobody is signed in nothing is registered at all.
 */
export function lazyReferences(context: vscode.ExtensionContext, desk: () => Promise<Desk>): LazyReferences {
	const { globalState, secrets, workspaceState } = context;
	let registered: readonly vscode.Disposable[] = [];
	const isSignedIn = (): boolean => globalState.get(signedInKey) === true;
	const real = async (): Promise<References> => (await desk()).references();
	const realFor = async (text: string): Promise<References | undefined> =>
		isSignedIn() && mayName.test(text) ? real() : undefined;

	// Registering again makes the editor look at open texts again.
	function register(): void {
		unregister();
		registered = isSignedIn() ? registrations(context, { real, realFor }) : [];
	}

	function unregister(): void {
		registered.forEach((each) => void each.dispose());
		registered = [];
	}

	// Another window's signing in is seen by the secrets alone, and a moment before the storage tells it.
	const listening = secrets.onDidChange(() => {
		registered = registered.length === 0 ? registrations(context, { real, realFor }) : registered;
	});
	// What #12 means in a folder was said anew, so links that are drawn may lead elsewhere.
	const correcting = vscode.workspace.onDidChangeConfiguration((change) => {
		if (change.affectsConfiguration('forge.folder') && registered.length > 0) {
			register();
		}
	});
	register();
	if (isSignedIn() && workspaceState.get(workKey) !== undefined) {
		// The trailer of work that was started here belongs into the box of the commit message.
		desk().catch(() => undefined); // The next use tries again, and tells.
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

interface Sources {
	readonly real: () => Promise<References>;
	/** `undefined` when the text names nothing. */
	readonly realFor: (text: string) => Promise<References | undefined>;
}

function registrations(context: vscode.ExtensionContext, { real, realFor }: Sources): readonly vscode.Disposable[] {
	const languages = languagesOf(context);
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

/** A `#` that was begun, or a line of a commit message that may become a trailer. */
function mayBegin(document: vscode.TextDocument, { line, character }: vscode.Position): boolean {
	const before = document.lineAt(line).text.slice(0, character);
	return (
		/(?<![^\s(])#[^\s#]{0,60}$/.test(before) ||
		(/^(?:git-commit|scminput)$/.test(document.languageId) && /^[A-Za-z]{1,10}(?::[ \t]*\S*)?$/.test(before))
	);
}

/** The languages that wake us, of which the manifest tells. */
function languagesOf({ extension }: vscode.ExtensionContext): string[] {
	const prefix = 'onLanguage:';
	// oxlint-disable-next-line typescript/no-unsafe-assignment -- our own manifest, which a unit test compares with the list
	const { activationEvents }: Manifest = extension.packageJSON;
	return activationEvents.filter((event) => event.startsWith(prefix)).map((event) => event.slice(prefix.length));
}

/** The tools for language models, which the manifest names. Each opens the desk when a model uses it. */
export function lazyTools({ extension }: vscode.ExtensionContext, desk: () => Promise<Desk>): vscode.Disposable[] {
	// oxlint-disable-next-line typescript/no-unsafe-assignment -- our own manifest, which a unit test compares with the list
	const { contributes }: Manifest = extension.packageJSON;
	return contributes.languageModelTools.map(({ name }) => {
		const tool = async (): Promise<vscode.LanguageModelTool<unknown>> => (await (await desk()).tools())[name];
		return vscode.lm.registerTool<unknown>(name, {
			prepareInvocation: async (options, token) => (await tool()).prepareInvocation?.(options, token),
			invoke: async (options, token) => (await tool()).invoke(options, token),
		});
	});
}

/** What is read of package.json. */
interface Manifest {
	readonly activationEvents: readonly string[];
	readonly contributes: { readonly languageModelTools: readonly { readonly name: ToolName }[] };
}
