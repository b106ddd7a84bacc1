// npm run generate writes this file from the declarations of packages/contract.

/** A line for each path, with its operations: a sign for the method, the name, and letters. ../operations.ts reads it. */
export const table = `
/health health:o
/ready ready:o
/v1/businesses search_businesses:l +create_business
/v1/businesses/{business_id} get_business ~update_business
/v1/businesses/{business_id}/publish +publish_business
/v1/businesses/{business_id}/withdraw +withdraw_business
/v1/workspaces/{workspace_id}/businesses list_workspace_businesses:l +link_business
/v1/workspaces/{workspace_id}/businesses/{business_id}/remove +unlink_business
/v1/businesses/{business_id}/observations list_observations:l +create_observation
/v1/businesses/{business_id}/observations/{observation_id}/retract +retract_observation
/v1/businesses/{business_id}/workspace-profile get_workspace_profile =set_workspace_profile
/v1/workspaces list_workspaces:ol +create_workspace:o
/v1/workspaces/{workspace_id} get_workspace ~update_workspace
/v1/workspaces/{workspace_id}/close +close_workspace
/v1/me get_me:o
/v1/me/rooms list_my_rooms:ol
/v1/team/leave +leave_team
/v1/team/members list_team_members:l
/v1/team/members/{membership_id} get_team_member ~update_membership
/v1/team/members/{membership_id}/remove +remove_membership
/v1/team/transfer-ownership +transfer_ownership
/v1/team/invitations list_team_invitations:l +create_team_invitation
/v1/team/invitations/{invitation_id} get_team_invitation
/v1/team/invitations/{invitation_id}/resend +resend_team_invitation
/v1/team/invitations/{invitation_id}/revoke +revoke_team_invitation
/v1/invitations/accept +accept_invitation:o
/v1/invitations/decline +decline_invitation:o
/v1/invitations/inspect +inspect_invitation:oq
/v1/api-keys list_api_keys:l +create_api_key
/v1/api-keys/{key_id} get_api_key ~update_api_key
/v1/api-keys/{key_id}/revoke +revoke_api_key
/v1/api-keys/{key_id}/rotate +rotate_api_key
/v1/commands/{idempotency_key} get_command
/v1/lists list_lists:l +create_list
/v1/lists/{list_id} get_list ~update_list
/v1/lists/{list_id}/archive +archive_list
/v1/lists/{list_id}/restore +restore_list
/v1/lists/preview +preview_list:q
/v1/lists/{list_id}/count +count_list
/v1/lists/{list_id}/columns +create_list_column
/v1/lists/{list_id}/columns/{column_id} ~update_list_column
/v1/lists/{list_id}/columns/{column_id}/archive +archive_list_column
/v1/lists/{list_id}/columns/{column_id}/restore +restore_list_column
/v1/lists/{list_id}/entries list_list_entries:l
/v1/lists/{list_id}/entries/{member_id} get_list_entry
/v1/lists/{list_id}/overrides list_list_overrides:l
/v1/lists/{list_id}/overrides/{member_id} =set_list_override
/v1/lists/{list_id}/entries/{member_id}/values/{column_id} =set_list_entry_value
/v1/lists/{list_id}/entries/{member_id}/values/{column_id}/history list_list_entry_value_history:l
/v1/lists/{list_id}/values +set_list_entry_values
/v1/rooms list_rooms:l +create_room
/v1/rooms/{room_id} get_room ~update_room
/v1/rooms/{room_id}/archive +archive_room
/v1/rooms/{room_id}/restore +restore_room
/v1/rooms/{room_id}/access get_room_access
/v1/rooms/{room_id}/attachments +attach_room_resource
/v1/rooms/{room_id}/attachments/{attachment_id}/remove +detach_room_resource
/v1/rooms/{room_id}/break-glass +break_glass
/v1/rooms/{room_id}/leave +leave_room
/v1/rooms/{room_id}/participants list_participants:l +invite_participant
/v1/rooms/{room_id}/participants/{participant_id} get_participant ~update_participant
/v1/rooms/{room_id}/participants/{participant_id}/revoke +revoke_participant
/v1/rooms/{room_id}/participants/{participant_id}/resend +resend_invitation
/v1/files list_files:l +create_file_upload
/v1/files/{file_id} get_file ~update_file
/v1/files/{file_id}/archive +archive_file
/v1/files/{file_id}/restore +restore_file
/v1/files/text +create_text_file
/v1/files/{file_id}/content +read_file_content:q
/v1/files/{file_id}/text get_file_text
/v1/files/{file_id}/versions +add_file_version list_file_versions:l
/v1/uploads list_uploads:l
/v1/uploads/{upload_id} get_upload
/v1/uploads/{upload_id}/abort +abort_upload
/v1/uploads/{upload_id}/complete +complete_upload
/v1/uploads/{upload_id}/content +upload_content
/v1/uploads/{upload_id}/part-urls +create_part_urls:q
/v1/workspaces/{workspace_id}/usage get_workspace_usage
/v1/files/{file_id}/versions/{file_version_id} get_file_version
/v1/files/{file_id}/versions/{file_version_id}/restore +restore_file_version
/v1/files/{file_id}/versions/{file_version_id}/retry +retry_file_version
/v1/files/{file_id}/download download_file:b
/v1/files/{file_id}/download-links +create_download_link
/v1/room-files/{room_file_id} get_room_file ~update_room_file
/v1/room-files/{room_file_id}/archive +archive_room_file
/v1/room-files/{room_file_id}/restore +restore_room_file
/v1/rooms/{room_id}/files list_room_files:l +attach_room_file
/v1/room-files/{room_file_id}/permissions list_room_file_permissions:l +set_room_file_permission
/v1/room-files/{room_file_id}/permissions/{permission_id}/revoke +revoke_room_file_permission
/v1/goals list_goals:l +create_goal
/v1/goals/{goal_id} get_goal ~update_goal
/v1/goals/{goal_id}/reopen +reopen_goal
/v1/tasks list_tasks:l +create_task
/v1/tasks/{task_id} get_task ~update_task
/v1/tasks/{task_id}/cancel +cancel_task
/v1/tasks/{task_id}/complete +complete_task
/v1/tasks/{task_id}/reopen +reopen_task
/v1/tasks/{task_id}/comments list_task_comments:l +create_task_comment
/v1/request-templates list_request_templates:l
/v1/rooms/{room_id}/requests +create_room_requests
/v1/rooms/{room_id}/requests/progress get_request_progress
/v1/rooms/{room_id}/connections list_connections:l +share_connection
/v1/rooms/{room_id}/connections/{connection_id}/pause +pause_connection
/v1/rooms/{room_id}/connections/{connection_id}/read +read_connection:q
/v1/rooms/{room_id}/connections/{connection_id}/reconnect +reconnect_connection
/v1/rooms/{room_id}/connections/{connection_id}/resume +resume_connection
/v1/rooms/{room_id}/connections/{connection_id}/stop +stop_connection
/v1/approvals list_approvals:l
/v1/approvals/{approval_id} get_approval
/v1/approvals/{approval_id}/approve +approve_approval
/v1/approvals/{approval_id}/cancel +cancel_approval
/v1/approvals/{approval_id}/decline +decline_approval
/v1/rooms/{room_id}/connections/{connection_id}/actions +request_approval
/v1/valuations list_valuations:l +create_valuation:v
/v1/valuations/{valuation_id} get_valuation:v ~update_valuation
/v1/valuations/{valuation_id}/revise +revise_valuation
/v1/valuations/{valuation_id}/run +run_valuation
/v1/valuations/{valuation_id}/sign +sign_valuation
/v1/valuations/{valuation_id}/evidence list_valuation_evidence:l +add_valuation_evidence
/v1/valuations/{valuation_id}/statements +read_valuation_statements
/v1/valuations/{valuation_id}/compare compare_valuations
/v1/valuations/{valuation_id}/explain explain_valuation:v
/v1/valuations/{valuation_id}/report get_valuation_report:vf
/v1/valuations/{valuation_id}/sensitivity get_valuation_sensitivity:v
/v1/valuations/{valuation_id}/claim +claim_valuation
/v1/portfolios list_portfolios:l +create_portfolio
/v1/portfolios/{portfolio_id} get_portfolio ~update_portfolio
/v1/portfolios/{portfolio_id}/holdings list_holdings:l
/v1/portfolios/{portfolio_id}/holdings/{key} get_holding =set_holding
/v1/assets list_assets:l +create_asset
/v1/assets/{asset_id} get_asset ~update_asset
/v1/benchmark-sets list_benchmark_sets:l +import_benchmark_set
/v1/benchmark-sets/{benchmark_set_id} get_benchmark_set
/v1/events list_events:l
/v1/events/changes list_event_changes:l
/v1/events/stream stream_events:s
/v1/events/{event_id} get_event
`
