/** Fixed texts for mails in the editor's language. */
export interface MailStrings {
	/** `{0}`: number of lines. */
	readonly quotedLines: string;
	readonly signature: string;
	/** `{0}`: number of characters. */
	readonly charactersLeftOut: string;
	readonly openDocument: string;
	readonly attachments: string;
	readonly saveAttachment: string;
	readonly openAttachment: string;
	readonly oneFile: string;
	/** `{0}`: number of files. */
	readonly files: string;
	/** `{0}` and `{1}`: numbers of lines. For screen readers. */
	readonly linesChanged: string;
	/** For one added line. */
	readonly oneLineAdded: string;
	readonly added: string;
	readonly deleted: string;
	readonly renamed: string;
	readonly copied: string;
	readonly binary: string;
	readonly openDiff: string;
	readonly showAsItCame: string;
	readonly readWhole: string;
	readonly caution: string;
	readonly to: string;
	readonly cc: string;
	/** `{0}`: number of further files. */
	readonly andMore: string;
	readonly noAccount: string;
	readonly openPerson: string;
	readonly pull: string;
	readonly pullChanges: string;
	readonly copyFetchCommand: string;
	readonly fetchPull: string;
	readonly repository: string;
	readonly reference: string;
}
