import * as vscode from 'vscode';

/**
 * Opens exactly this address. A Uri cannot carry every address, such as one inside a query, or a folder `C#`: its escapes
 * are undone when it is parsed, or escaped once more when it is opened. A string, which the typings leave out, is taken as
 * it is. The editor may ask first; somebody who copies the address there instead of opening it goes on waiting.
 */
export async function openExactly(address: string): Promise<void> {
	await Reflect.apply(vscode.env.openExternal, vscode.env, [address]);
}
