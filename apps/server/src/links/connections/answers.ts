import { ConnectorError, type ConnectorErrorKind, type Layer, type LayerCall, follow, nameOf } from '@sheaf/connectors';
import { type AppError, appError } from '@sheaf/contract';
import { certificateOf, certificateRefused, otherNames, otherProtocol, whyUnreachable } from './connection-faults.ts';

/** Context of a refusal. */
interface Subject {
  /** The provider's title. */
  readonly provider: string;
  /** The item's name, if any. */
  readonly name: string;
  /** The refused connection info: a missing value has another error than a wrong one. */
  readonly info: Readonly<Record<string, string>>;
}
type Row = (subject: Subject, error: ConnectorError) => AppError;

/** The error of the catalogue for each kind of refusal: the only place that maps them. A new kind without a row does not compile. */
const rows: Readonly<Record<ConnectorErrorKind, Row>> = {
  aborted: ({ provider }, error) => appError('SOURCE_TIMEOUT', { provider }, error),
  accountKind: ({ provider }, error) => appError('ACCOUNT_KIND', { provider }, error),
  alreadyExists: ({ name }, error) => appError('NAME_TAKEN', { name }, error),
  appRefused: ({ provider }, error) => appError('APPLICATION_REFUSED', { provider }, error),
  authType: (_, error) => appError('AUTH_TYPE_MISMATCH', {}, error),
  badConfig,
  badKeyFile: (_, error) => appError('INVALID_KEY_FILE', {}, error),
  badName: ({ provider, name }, error) => appError('FILE_NAME_REFUSED', { provider, name }, error),
  badRange: (_, error) => appError('RANGE_NOT_SATISFIABLE', {}, error),
  certificateChanged: ({ provider }, error) =>
    appError('CERTIFICATE_CHANGED', { provider, fingerprint: error.details['fingerprint'] ?? '' }, error, certificateOf(error)),
  certificateMissing: (_, error) => certificateRefused(error),
  certificateName: (_, error) => appError('CERTIFICATE_NAME_MISMATCH', {}, error, { ...otherNames(error), ...certificateOf(error) }),
  damaged: ({ provider, name }, error) => appError('CONTENT_DAMAGED', { provider, name }, error),
  failed: ({ provider }, error) =>
    appError(error.details.problem === 'notDone' ? 'SOURCE_DID_NOTHING' : 'SOURCE_FAILED', { provider }, error),
  forbidden: ({ provider, name }, error) =>
    error.details.problem === 'readOnly'
      ? appError('FOLDER_READ_ONLY', { provider, name }, error)
      : appError('SOURCE_FORBIDS', { provider }, error),
  full: ({ provider }, error) => appError('SOURCE_FULL', { provider }, error),
  hostKeyChanged: ({ provider }, error) =>
    appError('HOST_KEY_CHANGED', { provider, fingerprint: error.details['fingerprint'] ?? '' }, error),
  interrupted: ({ provider }, error) => appError('TRANSFER_CUT', { provider }, error),
  isAFolder: ({ name }, error) => appError('IS_A_FOLDER', { name }, error),
  moved: (_, error) => {
    const { address = '' } = error.details;
    return appError('SERVER_MOVED', { address }, error, address === '' ? {} : { movedTo: address });
  },
  noBucket: (_, error) => appError('BUCKET_NOT_FOUND', {}, error),
  needsAuthorization: ({ provider }, error) => appError('AUTHORIZATION_NEEDED', { provider }, error),
  notAFolder: ({ name }, error) => appError('NOT_A_FOLDER', { name }, error),
  notEmpty: ({ name }, error) => appError('FOLDER_NOT_EMPTY', { name }, error),
  notFound: ({ name }, error) => appError('ITEM_NOT_FOUND', { name }, error),
  rateLimited: busy,
  sizeDiffers: ({ name }, error) => appError('SIZE_DIFFERS', { name }, error),
  tooLarge: ({ name }, error) => appError('FOLDER_TOO_LARGE', { name }, error),
  timeout: ({ provider }, error) => appError('SOURCE_TIMEOUT', { provider }, error, otherProtocol(error)),
  unauthorized: (_, error) => appError(error.details.problem === 'key' ? 'KEY_REFUSED' : 'INVALID_CREDENTIALS', {}, error),
  unexpected: ({ provider }, error) =>
    appError(error.details.problem === 'page' ? 'SOURCE_SENT_PAGE' : 'SOURCE_CONFUSED', { provider }, error),
  // The text adds "server" itself, so a title that ends with it is shortened.
  unreachable: ({ provider }, error) =>
    appError('CANNOT_CONNECT', { provider: provider.replace(/ server$/i, '') }, error, whyUnreachable(error)),
  unsupported: ({ provider }, error) => appError('SOURCE_CANNOT', { provider }, error),
  wrongKey: (_, error) => appError('INVALID_KEY', {}, error),
  wrongPassphrase: (_, error) => appError('WRONG_PASSPHRASE', {}, error),
  wrongProtocol: (_, error) => appError('WRONG_PROTOCOL', { protocol: error.details['protocol'] ?? '' }, error, otherProtocol(error)),
  wrongSignature: (_, error) => appError('INVALID_SIGNATURE', {}, error),
};

/** Whether the storage refused the link's own login, which says nothing about whoever asks Sheaf. */
export const isRefusedByStorage = ({ messageCode, cause }: AppError): boolean =>
  cause instanceof ConnectorError && (messageCode === 'INVALID_CREDENTIALS' || messageCode === 'KEY_REFUSED');

function busy({ provider }: Subject, error: ConnectorError): AppError {
  const { waited, uploading: file } = error.details;
  if (file !== undefined) return appError('LINK_UPLOADING', { file, provider }, error);
  return appError(waited === 'connections' ? 'LINK_BUSY' : 'SOURCE_BUSY', { provider }, error);
}

function badConfig({ info }: Subject, error: ConnectorError): AppError {
  const { field = '' } = error.details;
  const isMissing = (info[field] ?? '').trim() === '';
  if (isMissing && field === 'username') return appError('MISSING_USER_NAME', {}, error);
  if (isMissing && (field === 'host' || field === 'server' || field === 'url')) return appError('MISSING_HOST', {}, error);
  if (isMissing) return appError('MISSING_PARAMETER', {}, error);
  if (field === 'authjson') return appError('INVALID_CONNECTION_JSON', {}, error);
  if (field === 'server' && 'authjson' in info && !/^https?:\/\//i.test(info['server'] ?? ''))
    return appError('NO_SCHEMA_SUPPLIED', {}, error);
  return invalidField(field, error);
}

/** The error for an invalid value, with its field. */
export const invalidField = (field: string, cause?: unknown): AppError => appError('INVALID_PARAMETER', { field }, cause, { field });

/** Maps a connector's error; returns any other error unchanged. */
export function answerOf(error: unknown, subject: Partial<Subject> & Pick<Subject, 'provider'>): unknown {
  return error instanceof ConnectorError ? rows[error.kind]({ name: '', info: {}, ...subject }, error) : error;
}

/** The name that a refusal concerns: the new one if it was taken or invalid, else the item's. */
function nameOfSubject({ path, target }: LayerCall, error: unknown): string {
  const isAboutTarget = error instanceof ConnectorError && (error.kind === 'alreadyExists' || error.kind === 'badName');
  return nameOf(isAboutTarget && target !== undefined ? target : path);
}

interface Options {
  readonly provider: string;
  /** Called after each call: with nothing after a success, else with the connector's error and the mapped one. */
  readonly heard: (refusal?: { readonly error: ConnectorError; readonly row: AppError }) => void;
}

/** The outermost layer of every open connection: outside of it there are only AppErrors. */
export const answer =
  ({ provider, heard }: Options): Layer =>
  async (call, next) => {
    const failure = (error: unknown): unknown => {
      if (!(error instanceof ConnectorError)) return error;
      const row = rows[error.kind]({ provider, name: nameOfSubject(call, error), info: {} }, error);
      if (!call.signal.aborted) heard({ error, row });
      return row;
    };
    try {
      const given = await next(call.signal);
      heard();
      return follow(given, { ended: () => undefined, failure });
    } catch (error) {
      throw failure(error);
    }
  };
