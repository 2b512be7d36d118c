import type { ConnectorError, ConnectorErrorKind } from '../../../core/error.ts';
import type { HttpResponse } from '../../../kit/http/http.ts';
import { googleRefusal } from '../apis/google-refusal.ts';

/** Drive's error reasons: https://developers.google.com/drive/api/guides/handle-errors */
const kinds: Readonly<Record<string, ConnectorErrorKind>> = {
  activeItemCreationLimitExceeded: 'full',
  appNotAuthorizedToFile: 'needsAuthorization',
  cannotCopyFile: 'forbidden',
  cannotDownloadAbusiveFile: 'forbidden',
  cannotDownloadFile: 'forbidden',
  cannotExportFile: 'unsupported',
  cannotMoveItemIntoOwnDescendants: 'unsupported',
  conversionUnsupportedConversionPath: 'unsupported',
  exportSizeLimitExceeded: 'unsupported',
  fileNotDownloadable: 'unsupported',
  fileOwnerNotMemberOfTeamDrive: 'forbidden',
  insufficientFilePermissions: 'forbidden',
  numChildrenInNonRootLimitExceeded: 'full',
  sharingRateLimitExceeded: 'rateLimited',
  storageQuotaExceeded: 'full',
  teamDriveFileLimitExceeded: 'full',
  teamDriveHierarchyTooDeep: 'full',
  teamDrivesFolderMoveInNotSupported: 'unsupported',
  teamDrivesParentLimit: 'unsupported',
  uploadTooLarge: 'full',
};

/** Maps an error response of Drive. */
export const driveRefusal = (response: HttpResponse, text: string): ConnectorError => googleRefusal(response, text, kinds);
